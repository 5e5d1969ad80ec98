/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the counters of each CPU
 *
 * A CPU's counters are written by that CPU only:
 *
 * 1. A writer has preemption off, and counts as one in @busy while it writes.
 *    It may be interrupted by another one, in an interrupt or NMI: so each
 *    counter is changed as one, by counter.h.
 * 2. A reader on any CPU copies a cell, looks at @busy and copies it again:
 *    two equal copies around a moment without a writer are consistent.  See
 *    lsmpmon_copy().  Who reads a table that may be freed meanwhile holds it
 *    with lsmpmon_store_hold().
 * 3. Counters are zeroed only while lsmpmon_paused is true and every
 *    writer that may have seen it false has finished.  See control.c.
 */

#ifndef _SECURITY_LSMPMON_STORE_H
#define _SECURITY_LSMPMON_STORE_H

#include <linux/cache.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/rwsem.h>
#include <linux/types.h>

#include "bucket.h"
#include "compat.h"
#include "hook.h"
#include "operation.h"
#include "place.h"

enum lsmpmon_verdict {
	LSMPMON_ALLOW,		/* the only one of void hooks */
	LSMPMON_DENY,
	LSMPMON_VERDICTS,
};

/**
 * struct lsmpmon_cell - what is known of the calls of one kind
 * @count: calls without a context switch inside; they alone make what follows
 * @sum: their ticks
 * @min: the shortest of them; U64_MAX before the first
 * @quiet_max: the longest of those that no interrupt struck
 * @irq_count: those of @count that an interrupt struck
 * @irq_sum: ticks of these, interrupts included
 * @irq_max: the longest of these
 * @cs_count: calls with a context switch inside, or in which the clock went back
 *
 * The four that every call touches come first, and all fill one cache line.
 */
struct lsmpmon_cell {
	u64 count;
	u64 sum;
	u64 min;
	u64 quiet_max;
	u64 irq_count;
	u64 irq_sum;
	u64 irq_max;
	u64 cs_count;
} __aligned(64);

/*
 * A hook is passed as the offset of its cells, which the compiler knows and
 * the hot path need not multiply.
 */
#define LSMPMON_OFFSET(hook) \
	((hook) * LSMPMON_VERDICTS * sizeof(struct lsmpmon_cell))

/* What happened inside a call. */
enum lsmpmon_disturbance {
	LSMPMON_QUIET,
	LSMPMON_INTERRUPTED,
	LSMPMON_SWITCHED,
};

/* Callbacks: places in the order of modules, for each hook. */
#define LSMPMON_CALLBACKS	(LSMPMON_HOOKS * LSMPMON_PLACES)

#define LSMPMON_CELL_SIZE \
	(LSMPMON_CELLS * LSMPMON_VERDICTS * sizeof(struct lsmpmon_cell))

#define LSMPMON_CALLBACK_SIZE \
	(LSMPMON_CALLBACKS * LSMPMON_VERDICTS * sizeof(struct lsmpmon_cell))

/* Counters of calls that were not timed, by hook and verdict. */
#define LSMPMON_UNTIMED_SIZE \
	(LSMPMON_CELLS * LSMPMON_VERDICTS * sizeof(u64))

/* Room for as many pairs of a hook and an errno. */
#define LSMPMON_DENIALS		1024
#define LSMPMON_DENIAL_BITS	ilog2(LSMPMON_DENIALS)

#define LSMPMON_DENIAL_SIZE \
	(LSMPMON_DENIALS * sizeof(struct lsmpmon_denial))

/**
 * struct lsmpmon_denial - what is known of one errno of one hook
 * @count: calls without a context switch inside
 * @cs_count: calls with one
 */
struct lsmpmon_denial {
	u64 count;
	u64 cs_count;
};

/**
 * struct lsmpmon_share - what is known of one system call as a whole
 * @count: calls without a context switch inside; they alone make what follows
 * @sum: their ticks, entry to exit
 * @hook_count: hook calls inside them
 * @hook_sum: ticks of these
 * @cs_count: calls with a context switch inside
 */
struct lsmpmon_share {
	u64 count;
	u64 sum;
	u64 hook_count;
	u64 hook_sum;
	u64 cs_count;
};

#define LSMPMON_SHARE_SIZE \
	(LSMPMON_OPERATIONS * sizeof(struct lsmpmon_share))

/* Where a CPU has room for the name of an object. */
#define LSMPMON_NAME_SIZE	PATH_MAX

/**
 * struct lsmpmon_cpu - the counters of one CPU
 * @busy: writers at work; more than one if one has interrupted another
 * @lost: calls that could not be recorded, each counted when it ended
 * @cell: by hook, LSMPMON_HOOK_SELF last, and verdict
 * @untimed: calls that were not timed, by hook and verdict, see timed.h
 * @callback: by hook, place and verdict
 * @histogram: by hook and bucket
 * @pair: by table and place, see place.h
 * @share: by operation, see calls.c
 * @name: where the filter writes the name of an object
 * @denial: by place of the pair, see denial.c
 * @backwards: times that were none, since the clock went back
 * @stuck: a reader has waited in vain for a writer to be done
 *
 * A table is NULL while nobody uses it, see memory.c.
 */
struct lsmpmon_cpu {
	unsigned int busy;
	u64 lost;
	struct lsmpmon_cell (*cell)[LSMPMON_VERDICTS];
	u64 (*untimed)[LSMPMON_VERDICTS];
	struct lsmpmon_cell (*callback)[LSMPMON_VERDICTS];
	u64 (*histogram)[LSMPMON_BUCKETS];
	struct lsmpmon_pair *pair[LSMPMON_PAIR_TABLES];
	struct lsmpmon_share *share;
	char *name;
	struct lsmpmon_denial *denial;
	u64 backwards;
	bool stuck;
};

DECLARE_PER_CPU_ALIGNED(struct lsmpmon_cpu, lsmpmon_cpu);

/* Held for writing while tables are freed.  Nothing is locked inside it. */
extern struct rw_semaphore lsmpmon_tables;

/**
 * lsmpmon_store_hold - keep tables that are there from being freed
 *
 * Context: process context, may sleep.
 */
static inline void lsmpmon_store_hold(void)
{
	down_read(&lsmpmon_tables);
}

/**
 * lsmpmon_store_release - let tables be freed again
 */
static inline void lsmpmon_store_release(void)
{
	up_read(&lsmpmon_tables);
}

void lsmpmon_copy(struct lsmpmon_cpu *c, const void *from, void *copy,
		  size_t size);
void lsmpmon_cell_read_cpu(int cpu, enum lsmpmon_hook hook,
			   enum lsmpmon_verdict verdict,
			   struct lsmpmon_cell *cell);
void lsmpmon_cell_read(enum lsmpmon_hook hook, enum lsmpmon_verdict verdict,
		       struct lsmpmon_cell *total);
u64 lsmpmon_untimed_read_cpu(int cpu, enum lsmpmon_hook hook,
			     enum lsmpmon_verdict verdict);
u64 lsmpmon_untimed_read(enum lsmpmon_hook hook, enum lsmpmon_verdict verdict);
void lsmpmon_cell_add(struct lsmpmon_cell *total,
		      const struct lsmpmon_cell *cell);
u64 lsmpmon_lost(void);
u64 lsmpmon_backwards(void);

/* The longest of all calls of a cell. */
static inline u64 lsmpmon_cell_max(const struct lsmpmon_cell *cell)
{
	return max(cell->quiet_max, cell->irq_max);
}

/* The same, as it is shown: 0 where nothing was measured. */
static inline u64 lsmpmon_cell_min(const struct lsmpmon_cell *cell)
{
	return cell->count ? cell->min : 0;
}

static inline u64 lsmpmon_cell_ave(const struct lsmpmon_cell *cell)
{
	return cell->count ? div64_u64(cell->sum, cell->count) : 0;
}

static inline void lsmpmon_wipe_cells(struct lsmpmon_cell *cell, size_t n)
{
	while (n--)
		*cell++ = (struct lsmpmon_cell){ .min = U64_MAX };
}

static inline void lsmpmon_wipe_pairs(struct lsmpmon_pair *pair, size_t n)
{
	while (n--)
		*pair++ = (struct lsmpmon_pair){ .min = U64_MAX };
}

static inline bool lsmpmon_cell_empty(const struct lsmpmon_cell *cell)
{
	return !cell->count && !cell->cs_count;
}

#endif /* _SECURITY_LSMPMON_STORE_H */
