/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what each task carries
 *
 * Alone in this header because <linux/sched.h> includes it.
 */

#ifndef _LINUX_LSMPMON_TYPES_H
#define _LINUX_LSMPMON_TYPES_H

#include <linux/types.h>

/*
 * How many spans a task may have open at once: hooks called from hooks,
 * callbacks of a hook call that has not ended, and the hooks of interrupts
 * that strike meanwhile.  A power of two.
 */
#define LSMPMON_DEPTH		32

/**
 * struct lsmpmon_span - one hook call, or one callback, that is under way
 * @begin: clock when it began; of a callback that is over: ticks it took
 * @rc: verdict so far, for open-coded loops; of a callback: its verdict
 * @flags: on the detailed path, of a hook call: offset of the next one around
 *	it, and whether it is selected; of a callback: LSMPMON_CALLBACK() and,
 *	when it is over, what disturbed it
 */
struct lsmpmon_span {
	u64		begin;
	int		rc;
	unsigned int	flags;
};

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
 * struct lsmpmon_task - the open spans of a task, last opened first closed
 * @top: offset in bytes into @span of the first free one
 * @mark: spans below this offset were disturbed, by whatever it was
 * @switch_mark: spans below this offset had a context switch inside
 * @hook: offset of the last span that a hook call has on the detailed path
 * @uring: the operation of io_uring that the task is in, plus one
 * @tracing: contexts in which an event of ours is being written, as bits
 * @tree: number of the process tree that the filter was last set to when the
 *	task, or who it descends from, was in that
 * @call: the system call that the task is in
 * @span: the open spans
 *
 * Who disturbs a task says so: a context switch or an interrupt raises the
 * marks to @top, which is above all spans open then and below all to come.
 * So a span asks once, when it ends, and carries nothing for it.  A span that
 * ends disturbed lowers the marks to its own offset, where the next begins.
 *
 * Interrupt handlers push and pop above whatever they interrupted, hence no
 * locking.  The spans are here and not in the frame of the measured function
 * so that the compiler saves no register for them while nobody measures.
 */
struct lsmpmon_task {
	unsigned long		top;
	unsigned long		mark;
	unsigned long		switch_mark;
	unsigned long		hook;
	unsigned int		uring;
	unsigned int		tracing;
	unsigned int		tree;
	struct lsmpmon_call	call;
	struct lsmpmon_span	span[LSMPMON_DEPTH];
};

#endif /* _LINUX_LSMPMON_TYPES_H */
