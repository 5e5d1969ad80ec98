// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/result
 *
 * The table of Yamamoto & Yamauchi, "Evaluation of Performance of Secure OS
 * Using Performance Evaluation Mechanism of LSM-Based LSMPMON" (2010), fig. 3.
 */

#include "files.h"
#include "store.h"
#include "table.h"
#include "timed.h"
#include "untimed.h"

static void lsmpmon_show_cell(struct seq_file *m, const char *name,
			      const struct lsmpmon_cell *cell, u64 untimed)
{
	if (lsmpmon_cell_empty(cell) && !untimed) {
		seq_printf(m, "%s\n", name);
		return;
	}
	seq_printf(m, "%-28s %8llu %10llu %8llu %10llu %8llu", name,
		   lsmpmon_cell_min(cell), lsmpmon_cell_max(cell),
		   lsmpmon_cell_ave(cell),
		   cell->count + untimed, cell->cs_count);
	lsmpmon_show_timed(m, cell->count);
}

static int lsmpmon_result_show(struct seq_file *m, void *v)
{
	enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	struct lsmpmon_cell total, deny;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %8s %10s %8s %10s %8s", "hook", "min",
			   "max", "ave", "count", "cs_count");
		lsmpmon_show_timed_header(m);
		return 0;
	}
	lsmpmon_cell_read(hook, LSMPMON_ALLOW, &total);
	lsmpmon_cell_read(hook, LSMPMON_DENY, &deny);
	lsmpmon_cell_add(&total, &deny);
	lsmpmon_show_cell(m, lsmpmon_hook_name(hook), &total,
			  lsmpmon_untimed_read(hook, LSMPMON_ALLOW) +
			  lsmpmon_untimed_read(hook, LSMPMON_DENY));
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(result);
