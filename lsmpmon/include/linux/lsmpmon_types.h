/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what each task carries
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
 * @begin: clock when it began; 0 in none that was seen to begin
 * @hook_sum: ticks of the hook calls in it that are over
 * @hook_count: how many those are
 * @operation: which system call
 * @switches: context switches of the task until it began
 * @task: whose it is: the child of a fork has a copy that is not its own
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
 * struct lsmpmon_task - what a task carries
 * @span: the innermost span that is open in this task, or in an interrupt
 *	that has struck it; see span.h
 * @uring: the operation of io_uring that the task is in, plus one; or what
 *	operation.c has in its place
 * @tree: number of the process tree that the filter was last set to when the
 *	task, or who it descends from, was in that
 * @tracing: contexts in which an event of ours is being written, as bits
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
