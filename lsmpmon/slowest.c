// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/slowest
 */

#include <linux/cpumask.h>

#include "compat.h"
#include "describe.h"
#include "escape.h"
#include "files.h"
#include "operation.h"
#include "slow.h"
#include "table.h"

/**
 * struct lsmpmon_slow_reader - the slowest calls of a hook, for one reader
 * @one: those of one CPU
 * @count: number of the calls in @call
 * @call: those of all CPUs, the slowest first
 */
struct lsmpmon_slow_reader {
	struct lsmpmon_slowest one;
	unsigned int count;
	struct lsmpmon_slow call[LSMPMON_SLOWEST];
};

static void lsmpmon_read_hook(struct lsmpmon_slow_reader *reader,
			      enum lsmpmon_hook hook)
{
	int cpu;

	reader->count = 0;
	for_each_possible_cpu(cpu) {
		lsmpmon_slow_read(cpu, hook, &reader->one);
		reader->count = lsmpmon_slow_merge(reader->call, reader->count,
						   &reader->one);
	}
}

static void lsmpmon_show_slow_times(struct seq_file *m, const struct lsmpmon_slow *call)
{
	seq_printf(m, " %12llu", call->wall);
	if (call->unknown)
		seq_printf(m, " %12s %12s %12s", "-", "-", "-");
	else
		seq_printf(m, " %12llu %12llu %12llu", call->own, call->slept,
			   call->preempted);
	seq_printf(m, " %18llu", call->end);
}

static void lsmpmon_show_slow_task(struct seq_file *m, const struct lsmpmon_slow *call)
{
	char comm[LSMPMON_COMM_NAME], operation[LSMPMON_OPERATION_NAME];

	strscpy(comm, "-", sizeof(comm));
	if (call->in_task)
		lsmpmon_escape_name(call->comm, comm, sizeof(comm));
	lsmpmon_operation_name(call->operation, operation, sizeof(operation));
	seq_printf(m, " %7d %-16s %-16s", call->pid, comm, operation);
}

static void lsmpmon_show_slow_verdict(struct seq_file *m, enum lsmpmon_hook hook,
				      const struct lsmpmon_slow *call)
{
	const char *module = NULL;
	char error[LSMPMON_ERROR_NAME] = "0";

	if (call->place < LSMPMON_PLACES)
		module = lsmpmon_module_name(hook, call->place);
	if (call->rc < 0)
		lsmpmon_error_name(-call->rc, error, sizeof(error));
	seq_printf(m, " %-12s %-8s", module ?: "-", error);
}

static void lsmpmon_show_slow_object(struct seq_file *m, const struct lsmpmon_slow *call)
{
	char object[LSMPMON_OBJECT_WORD];

	lsmpmon_object_word(call->object, call->is_cut, object);
	seq_printf(m, " %s\n", object);
}

static void lsmpmon_show_slow(struct seq_file *m, enum lsmpmon_hook hook,
			      const struct lsmpmon_slow *call)
{
	seq_printf(m, "%-28s", lsmpmon_hook_name(hook));
	lsmpmon_show_slow_times(m, call);
	lsmpmon_show_slow_task(m, call);
	lsmpmon_show_slow_verdict(m, hook, call);
	lsmpmon_show_slow_object(m, call);
}

static int lsmpmon_slowest_show(struct seq_file *m, void *v)
{
	const enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	struct lsmpmon_slow_reader *reader = m->private;
	unsigned int i;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %12s %12s %12s %12s %18s %7s %-16s %-16s %-12s %-8s %s\n",
			   "hook", "wall", "own", "slept", "preempted", "end",
			   "pid", "comm", "syscall", "module", "error", "object");
		return 0;
	}
	lsmpmon_read_hook(reader, hook);
	for (i = 0; i < reader->count; i++)
		lsmpmon_show_slow(m, hook, &reader->call[i]);
	return 0;
}

static const struct seq_operations slowest_seq_ops = {
	.start	= lsmpmon_hooks_start,
	.next	= lsmpmon_hooks_next,
	.stop	= lsmpmon_hooks_stop,
	.show	= lsmpmon_slowest_show,
};

static int lsmpmon_slowest_open(struct inode *inode, struct file *file)
{
	return __seq_open_private(file, &slowest_seq_ops,
				  sizeof(struct lsmpmon_slow_reader)) ? 0 : -ENOMEM;
}

const struct file_operations lsmpmon_slowest_fops = {
	.open		= lsmpmon_slowest_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release_private,
};
