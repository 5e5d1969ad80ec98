// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/nested
 */

#include "compat.h"
#include "files.h"
#include "line.h"
#include "outer.h"
#include "snapshot.h"

/* The table may have been freed since it had @columns columns. */
static void lsmpmon_show_outer(struct seq_file *m, unsigned int column,
			       unsigned int columns)
{
	const char *module = "-";
	unsigned int callback;

	if (column >= columns - LSMPMON_FIXED) {
		seq_printf(m, " %-28s %-12s",
			   column == columns - 1 ? "other" : "-", "-");
		return;
	}
	if (lsmpmon_outer_callback(column, &callback))
		module = lsmpmon_module_name(callback / LSMPMON_PLACES,
					     callback % LSMPMON_PLACES);
	seq_printf(m, " %-28s %-12s", lsmpmon_hook_name(callback / LSMPMON_PLACES),
		   module);
}

static int lsmpmon_nested_show(struct seq_file *m, void *v)
{
	const struct lsmpmon_snapshot *s = m->private;
	const struct lsmpmon_line *line = v;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %-28s %-12s", "hook", "outer", "module");
		lsmpmon_pair_head(m);
	} else {
		seq_printf(m, "%-28s", lsmpmon_hook_name(line->row));
		lsmpmon_show_outer(m, line->column, s->columns);
		lsmpmon_pair_show(m, &line->pair);
	}
	seq_putc(m, '\n');
	return 0;
}

LSMPMON_DEFINE_PAIR_TABLE(LSMPMON_BY_OUTER, nested);
