// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/stacks
 */

#include "compat.h"
#include "files.h"
#include "line.h"
#include "operation.h"
#include "snapshot.h"
#include "stack.h"

static void lsmpmon_show_stack(struct seq_file *m, const struct lsmpmon_line *line)
{
	const unsigned int callback = lsmpmon_stack_callback(line->row);
	const unsigned int hook = callback / LSMPMON_PLACES;
	char name[LSMPMON_OPERATION_NAME];

	lsmpmon_operation_name(line->column, name, sizeof(name));
	seq_printf(m, "%-24s %-28s %-12s", name, lsmpmon_hook_name(hook),
		   lsmpmon_module_name(hook, callback % LSMPMON_PLACES));
	lsmpmon_pair_show(m, &line->pair);
}

static int lsmpmon_stacks_show(struct seq_file *m, void *v)
{
	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-24s %-28s %-12s", "syscall", "hook", "module");
		lsmpmon_pair_head(m);
	} else {
		lsmpmon_show_stack(m, v);
	}
	seq_putc(m, '\n');
	return 0;
}

LSMPMON_DEFINE_PAIR_TABLE(LSMPMON_BY_STACK, stacks);
