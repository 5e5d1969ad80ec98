/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: state of a task
 *
 * In a header of its own because <linux/sched.h> includes it.
 */

#ifndef _LINUX_LSMPMON_TYPES_H
#define _LINUX_LSMPMON_TYPES_H

#include <linux/types.h>

struct lsmpmon_span;
struct task_struct;

/**
 * struct lsmpmon_call - the system call that a task is in
 * @begin: clock at its entry; 0 if the task is in no measured system call
 * @hook_sum: ticks of the hook calls inside that have ended
 * @hook_count: number of hook calls inside that have ended
 * @operation: operation of the system call
 * @switches: context switches of the task before the entry
 * @task: the task; differs in a child, to which fork() has copied this
 */
struct lsmpmon_call {
	u64			begin;
	u64			hook_sum;
	unsigned int		hook_count;
	unsigned int		operation;
	unsigned long		switches;
	struct task_struct	*task;
};

/**
 * struct lsmpmon_task - state of a task
 * @span: innermost open span of the task, or of an interrupt in it; see span.h
 * @uring: operation of io_uring that the task is in, plus one; otherwise 0,
 *	LSMPMON_FROM_USER or LSMPMON_NEWBORN
 * @tree: number of the process tree that the task was last in, inherited by fork()
 * @tracing: bitmap of contexts that are writing a trace event of the monitor
 * @call: the system call that the task is in
 */
struct lsmpmon_task {
	struct lsmpmon_span	*span;
	unsigned int		uring;
	unsigned int		tree;
	unsigned int		tracing;
	struct lsmpmon_call	call;
};

#endif /* _LINUX_LSMPMON_TYPES_H */
