// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/denials
 */

#include <linux/bitmap.h>
#include <linux/err.h>

#include "denial.h"
#include "escape.h"
#include "files.h"
#include "table.h"

static void lsmpmon_show_denial(struct seq_file *m, enum lsmpmon_hook hook, int rc)
{
	struct lsmpmon_denial denial;
	char name[LSMPMON_ERROR_NAME];

	lsmpmon_denial_read(hook, rc, &denial);
	if (!denial.count && !denial.cs_count)
		return;
	lsmpmon_error_name(-rc, name, sizeof(name));
	seq_printf(m, "%-28s %-16s %10llu %8llu\n", lsmpmon_hook_name(hook),
		   name, denial.count, denial.cs_count);
}

static int lsmpmon_denials_show(struct seq_file *m, void *v)
{
	DECLARE_BITMAP(seen, MAX_ERRNO + 1) = { 0 };
	const enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	unsigned int error;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %-16s %10s %8s\n", "hook", "errno",
			   "count", "cs_count");
		return 0;
	}
	lsmpmon_denial_errors(hook, seen);
	for_each_set_bit(error, seen, MAX_ERRNO + 1)
		lsmpmon_show_denial(m, hook, -error);
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(denials);
