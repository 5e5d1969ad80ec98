// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/tasks
 */

#include "escape.h"
#include "files.h"
#include "line.h"
#include "operation.h"
#include "payer.h"
#include "snapshot.h"

static void lsmpmon_show_words(struct seq_file *m, const char *pid, const char *tid,
			       const char *comm, const char *syscall)
{
	seq_printf(m, "%-8s %-8s %-16s %-24s", pid, tid, comm, syscall);
}

static void lsmpmon_show_task(struct seq_file *m, const struct lsmpmon_payer *key)
{
	char pid[12], tid[12], comm[LSMPMON_COMM_NAME], syscall[LSMPMON_OPERATION_NAME];

	snprintf(pid, sizeof(pid), "%u", key->pid);
	snprintf(tid, sizeof(tid), "%u", key->tid);
	lsmpmon_escape_name(key->comm, comm, sizeof(comm));
	lsmpmon_operation_name(key->operation, syscall, sizeof(syscall));
	lsmpmon_show_words(m, pid, tid, comm, syscall);
}

static void lsmpmon_show_task_line(struct seq_file *m, const struct lsmpmon_line *line)
{
	if (line->column == lsmpmon_no_payer(LSMPMON_BY_TASK))
		lsmpmon_show_words(m, "-", "-", "-", "-");
	else if (line->column == lsmpmon_other_payer(LSMPMON_BY_TASK))
		lsmpmon_show_words(m, "other", "other", "other", "other");
	else
		lsmpmon_show_task(m, &line->key);
	seq_printf(m, " %-28s", lsmpmon_hook_name(line->row));
	lsmpmon_pair_show(m, &line->pair);
	seq_printf(m, " %10llu\n", line->missed);
}

static int lsmpmon_tasks_show(struct seq_file *m, void *v)
{
	if (v != SEQ_START_TOKEN) {
		lsmpmon_show_task_line(m, v);
		return 0;
	}
	lsmpmon_show_words(m, "pid", "tid", "comm", "syscall");
	seq_printf(m, " %-28s", "hook");
	lsmpmon_pair_head(m);
	seq_printf(m, " %10s\n", "missed");
	return 0;
}

LSMPMON_DEFINE_PAIR_TABLE(LSMPMON_BY_TASK, tasks);
