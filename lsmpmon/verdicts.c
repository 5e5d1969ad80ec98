// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/verdicts
 */

#include "files.h"
#include "store.h"
#include "table.h"
#include "timed.h"
#include "untimed.h"

static const char *lsmpmon_verdict_name(enum lsmpmon_hook hook,
					enum lsmpmon_verdict verdict)
{
	if (lsmpmon_hook_is_void(hook))
		return "none";
	return verdict == LSMPMON_DENY ? "deny" : "allow";
}

static void lsmpmon_show_header(struct seq_file *m)
{
	seq_printf(m, "%-28s %-7s %8s %10s %8s %10s %8s %14s %9s %12s %10s",
		   "hook", "verdict", "min", "max", "ave", "count", "cs_count",
		   "sum", "irq_count", "irq_sum", "quiet_max");
	lsmpmon_times_head(m);
	lsmpmon_show_timed_header(m);
}

static void lsmpmon_show_verdict(struct seq_file *m, enum lsmpmon_hook hook,
				 enum lsmpmon_verdict verdict)
{
	const u64 untimed = lsmpmon_untimed_read(hook, verdict);
	struct lsmpmon_cell cell;

	lsmpmon_cell_read(hook, verdict, &cell);
	if (lsmpmon_cell_empty(&cell) && !untimed)
		return;
	seq_printf(m, "%-28s %-7s %8llu %10llu %8llu %10llu %8llu %14llu %9llu %12llu %10llu",
		   lsmpmon_hook_name(hook), lsmpmon_verdict_name(hook, verdict),
		   lsmpmon_cell_min(&cell), lsmpmon_cell_max(&cell),
		   lsmpmon_cell_ave(&cell),
		   cell.count + untimed, cell.cs_count, cell.sum,
		   cell.irq_count, cell.irq_sum, cell.quiet_max);
	lsmpmon_times_show(m, &cell.times);
	lsmpmon_show_timed(m, cell.count);
}

static int lsmpmon_verdicts_show(struct seq_file *m, void *v)
{
	enum lsmpmon_hook hook = lsmpmon_hooks_current(m);

	if (v == SEQ_START_TOKEN) {
		lsmpmon_show_header(m);
		return 0;
	}
	lsmpmon_show_verdict(m, hook, LSMPMON_ALLOW);
	lsmpmon_show_verdict(m, hook, LSMPMON_DENY);
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(verdicts);
