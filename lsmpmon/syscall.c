// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/syscalls
 */

#include "files.h"
#include "line.h"
#include "operation.h"
#include "snapshot.h"

static int lsmpmon_syscalls_show(struct seq_file *m, void *v)
{
	char name[LSMPMON_OPERATION_NAME];
	const struct lsmpmon_line *line = v;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-24s %-28s", "syscall", "hook");
		lsmpmon_pair_head(m);
	} else {
		lsmpmon_operation_name(line->column, name, sizeof(name));
		seq_printf(m, "%-24s %-28s", name, lsmpmon_hook_name(line->row));
		lsmpmon_pair_show(m, &line->pair);
	}
	seq_putc(m, '\n');
	return 0;
}

LSMPMON_DEFINE_PAIR_TABLE(LSMPMON_BY_SYSCALL, syscalls);
