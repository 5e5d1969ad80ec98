// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/modules
 */

#include <linux/sched.h>

#include "compat.h"
#include "files.h"
#include "module.h"
#include "store.h"
#include "table.h"

static void lsmpmon_callback_read(enum lsmpmon_hook hook, unsigned int place,
				  enum lsmpmon_verdict verdict,
				  struct lsmpmon_cell *total)
{
	const size_t callback = hook * LSMPMON_PLACES + place;
	int cpu;

	lsmpmon_store_hold();
	for_each_possible_cpu(cpu) {
		struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		struct lsmpmon_cell copy;

		if (!READ_ONCE(c->callback))
			continue;
		lsmpmon_copy(c, &c->callback[callback][verdict], &copy,
			     sizeof(copy));
		lsmpmon_cell_add(total, &copy);
		cond_resched();
	}
	lsmpmon_store_release();
}

/* Sum all callbacks of a module in a hook; return their number. */
static unsigned int lsmpmon_module_read(enum lsmpmon_hook hook, unsigned int first,
					struct lsmpmon_cell *allow,
					struct lsmpmon_cell *deny)
{
	unsigned int place, callbacks = 0;

	*allow = (struct lsmpmon_cell){ .min = U64_MAX };
	*deny = (struct lsmpmon_cell){ .min = U64_MAX };
	for (place = first; place < LSMPMON_PLACES; place++) {
		if (!lsmpmon_module_name(hook, place) ||
		    lsmpmon_module_place(hook, place) != first)
			continue;
		lsmpmon_callback_read(hook, place, LSMPMON_ALLOW, allow);
		lsmpmon_callback_read(hook, place, LSMPMON_DENY, deny);
		callbacks++;
	}
	return callbacks;
}

static void lsmpmon_show_module(struct seq_file *m, enum lsmpmon_hook hook,
				unsigned int place, const char *module)
{
	struct lsmpmon_cell total, deny;
	unsigned int callbacks;
	u64 denials;

	callbacks = lsmpmon_module_read(hook, place, &total, &deny);
	denials = deny.count + deny.cs_count;
	lsmpmon_cell_add(&total, &deny);
	if (lsmpmon_cell_empty(&total))
		return;
	seq_printf(m, "%-12s %-28s %8llu %10llu %8llu %10llu %8llu %14llu %10llu",
		   module, lsmpmon_hook_name(hook), lsmpmon_cell_min(&total),
		   lsmpmon_cell_max(&total), lsmpmon_cell_ave(&total),
		   total.count, total.cs_count, total.sum, denials);
	lsmpmon_times_show(m, &total.times);
	seq_printf(m, " %9u\n", callbacks);
}

static int lsmpmon_modules_show(struct seq_file *m, void *v)
{
	enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	unsigned int place;
	const char *module;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-12s %-28s %8s %10s %8s %10s %8s %14s %10s",
			   "module", "hook", "min", "max", "ave", "count",
			   "cs_count", "sum", "deny_count");
		lsmpmon_times_head(m);
		seq_printf(m, " %9s\n", "callbacks");
		return 0;
	}
	for (place = 0; place < LSMPMON_PLACES; place++) {
		module = lsmpmon_module_at(hook, place);
		if (module)
			lsmpmon_show_module(m, hook, place, module);
	}
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(modules);
