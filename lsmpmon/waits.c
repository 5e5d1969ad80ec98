// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/waits
 *
 * Tracepoints of the kernel tell when a task waits for a lock, and when it has to reclaim
 * memory itself before it gets some.  The probes are registered while the feature is on.
 */

#include <linux/minmax.h>
#include <linux/sched.h>
#include <trace/events/lock.h>
#include <trace/events/vmscan.h>

#include "compat.h"
#include "files.h"
#include "module.h"
#include "probe.h"
#include "store.h"
#include "table.h"
#include "wait.h"
#include "waits.h"

static void __maybe_unused lsmpmon_on_contention(void *data, void *lock, unsigned int flags)
{
	lsmpmon_wait_begins((unsigned long)lock);
}

static void __maybe_unused lsmpmon_on_contention_end(void *data, void *lock, int ret)
{
	lsmpmon_wait_ends((unsigned long)lock);
}

/* In recent kernels, the tracepoints of reclaim also tell the memory cgroup. */
static void __maybe_unused lsmpmon_on_reclaim(void *data, int order, gfp_t gfp_flags)
{
	lsmpmon_wait_begins(LSMPMON_RECLAIM);
}

static void __maybe_unused lsmpmon_on_reclaim_of(void *data, gfp_t gfp_flags, int order,
						 struct mem_cgroup *memcg)
{
	lsmpmon_wait_begins(LSMPMON_RECLAIM);
}

static void __maybe_unused lsmpmon_on_reclaim_end(void *data, unsigned long reclaimed)
{
	lsmpmon_wait_ends(LSMPMON_RECLAIM);
}

static void __maybe_unused lsmpmon_on_reclaim_of_end(void *data, unsigned long reclaimed,
						     struct mem_cgroup *memcg)
{
	lsmpmon_wait_ends(LSMPMON_RECLAIM);
}

/* Reclaim of one node, before memory is taken from another one. */
static void lsmpmon_on_node_reclaim(void *data, int nid, int order, gfp_t gfp_flags)
{
	lsmpmon_wait_begins(LSMPMON_RECLAIM);
}

/* X(tracepoint, probe) for the end and the beginning of a kind of reclaim. */
#define LSMPMON_RECLAIM_END(X, EVENT)					\
	X(EVENT, LSMPMON_EITHER(EVENT, lsmpmon_on_reclaim_end,		\
				lsmpmon_on_reclaim_of_end))
#define LSMPMON_RECLAIM_BEGIN(X, EVENT)					\
	X(EVENT, LSMPMON_EITHER(EVENT, lsmpmon_on_reclaim,		\
				lsmpmon_on_reclaim_of))

#ifdef CONFIG_MEMCG
#define LSMPMON_MEMCG_RECLAIM(X)					\
	LSMPMON_RECLAIM_END(X, mm_vmscan_memcg_reclaim_end)		\
	LSMPMON_RECLAIM_BEGIN(X, mm_vmscan_memcg_reclaim_begin)
#else
#define LSMPMON_MEMCG_RECLAIM(X)
#endif

/* Before Linux 5.19, nothing tells of locks. */
#ifdef LCB_F_SPIN
#define LSMPMON_CONTENTION(X)						\
	X(contention_end, lsmpmon_on_contention_end)			\
	X(contention_begin, lsmpmon_on_contention)
#else
#define LSMPMON_CONTENTION(X)
#endif

/* X(tracepoint, probe).  An end without a beginning is ignored, so ends come first. */
#define LSMPMON_TRACEPOINTS(X)						\
	LSMPMON_CONTENTION(X)						\
	LSMPMON_RECLAIM_END(X, mm_vmscan_direct_reclaim_end)		\
	LSMPMON_RECLAIM_BEGIN(X, mm_vmscan_direct_reclaim_begin)	\
	LSMPMON_MEMCG_RECLAIM(X)					\
	LSMPMON_RECLAIM_END(X, mm_vmscan_node_reclaim_end)		\
	X(mm_vmscan_node_reclaim_begin, lsmpmon_on_node_reclaim)

LSMPMON_DEFINE_PROBES(LSMPMON_TRACEPOINTS);

/**
 * lsmpmon_waits_switch - start or stop noting waits
 * @on: new state
 *
 * Context: process context, may sleep.
 * Return: 0 or the error of registering with a tracepoint.
 */
int lsmpmon_waits_switch(bool on)
{
	if (on) {
		lsmpmon_waits_begin();
		return lsmpmon_probes_register(lsmpmon_probes,
					       ARRAY_SIZE(lsmpmon_probes));
	}
	lsmpmon_probes_unregister(lsmpmon_probes, ARRAY_SIZE(lsmpmon_probes));
	tracepoint_synchronize_unregister();
	return 0;
}

/* Add the waits of one row of a hook to @total. */
static void lsmpmon_wait_read(enum lsmpmon_hook hook, unsigned int row,
			      enum lsmpmon_wait_kind kind,
			      struct lsmpmon_wait *total)
{
	const size_t waits = hook * LSMPMON_WAIT_ROWS + row;
	int cpu;

	lsmpmon_store_hold();
	for_each_possible_cpu(cpu) {
		struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		struct lsmpmon_wait copy;

		if (!READ_ONCE(c->wait))
			continue;
		lsmpmon_copy(c, &c->wait[waits].by_kind[kind], &copy, sizeof(copy));
		total->count += copy.count;
		total->sum += copy.sum;
		total->max = max(total->max, copy.max);
		cond_resched();
	}
	lsmpmon_store_release();
}

static void lsmpmon_show_wait(struct seq_file *m, enum lsmpmon_hook hook,
			      const char *module, enum lsmpmon_wait_kind kind,
			      const struct lsmpmon_wait *wait)
{
	static const char *const kinds[LSMPMON_WAIT_KINDS] = {
		[LSMPMON_WAIT_LOCK]	= "lock",
		[LSMPMON_WAIT_RECLAIM]	= "reclaim",
	};

	if (wait->count)
		seq_printf(m, "%-28s %-12s %-8s %10llu %14llu %12llu\n",
			   lsmpmon_hook_name(hook), module, kinds[kind],
			   wait->count, wait->sum, wait->max);
}

/* All callbacks of a module in a hook. */
static void lsmpmon_show_module_waits(struct seq_file *m, enum lsmpmon_hook hook,
				      unsigned int first, const char *module)
{
	unsigned int place, kind;

	for (kind = 0; kind < LSMPMON_WAIT_KINDS; kind++) {
		struct lsmpmon_wait total = { };

		for (place = first; place < LSMPMON_PLACES; place++)
			if (lsmpmon_module_name(hook, place) &&
			    lsmpmon_module_place(hook, place) == first)
				lsmpmon_wait_read(hook, place + 1, kind, &total);
		lsmpmon_show_wait(m, hook, module, kind, &total);
	}
}

/* Outside of any measured callback. */
static void lsmpmon_show_other_waits(struct seq_file *m, enum lsmpmon_hook hook)
{
	unsigned int kind;

	for (kind = 0; kind < LSMPMON_WAIT_KINDS; kind++) {
		struct lsmpmon_wait total = { };

		lsmpmon_wait_read(hook, 0, kind, &total);
		lsmpmon_show_wait(m, hook, "-", kind, &total);
	}
}

static int lsmpmon_waits_show(struct seq_file *m, void *v)
{
	enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	unsigned int place;
	const char *module;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %-12s %-8s %10s %14s %12s\n", "hook", "module",
			   "kind", "count", "sum", "max");
		return 0;
	}
	for (place = 0; place < LSMPMON_PLACES; place++) {
		module = lsmpmon_module_at(hook, place);
		if (module)
			lsmpmon_show_module_waits(m, hook, place, module);
	}
	lsmpmon_show_other_waits(m, hook);
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(waits);
