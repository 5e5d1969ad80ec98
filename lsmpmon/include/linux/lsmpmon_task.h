/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: state of a task
 */

#ifndef _LINUX_LSMPMON_TASK_H
#define _LINUX_LSMPMON_TASK_H

#include <linux/compiler.h>
#include <linux/lsmpmon_delay.h>
#include <linux/lsmpmon_syscall.h>
#include <linux/lsmpmon_wait.h>
#include <linux/sched.h>
#include <linux/types.h>

struct lsmpmon_span;

/**
 * struct lsmpmon_task - state of a task, zero when it is created but for @tree
 * @span: innermost open span of the task, or of an interrupt in it; see span.h
 * @uring: operation of io_uring that the task is in, plus one; otherwise 0,
 *	LSMPMON_FROM_USER or LSMPMON_NEWBORN
 * @tree: number of the process tree that the task was last in, that of its creator at first
 * @watch: number of the period of watching that @depth, @sleeps, @left and @irq belong to
 * @depth: number of interrupts in progress
 * @wait_period: number of the period of noting waits that @waits and @wait belong to
 * @waits: number of waits in progress in hook calls
 * @tracing: bitmap of contexts that are writing a trace event of the monitor
 * @sleeps: whether the task sleeps, while it is off the CPU
 * @left: clock when the task left the CPU; 0 if it is not known
 * @irq: interrupts in progress, the innermost one last
 * @call: the system call that the task is in
 * @wait: waits in progress, the innermost one last
 */
struct lsmpmon_task {
	struct lsmpmon_span	*span;
	unsigned int		uring;
	unsigned int		tree;
	unsigned int		watch;
	unsigned int		depth;
	unsigned int		wait_period;
	u16			waits;
	u8			tracing;
	bool			sleeps;
	u64			left;
	struct lsmpmon_irq	irq[LSMPMON_IRQS];
	struct lsmpmon_call	call;
	struct lsmpmon_waiting	wait[LSMPMON_WAITS];
};

/**
 * lsmpmon_of - state of a task
 * @task: the current task, or one that is not freed meanwhile
 *
 * Context: any, from early_security_init() on; called from the hot path.
 * Return: the state, which is first in the security blob of the task.
 */
static __always_inline struct lsmpmon_task *lsmpmon_of(const struct task_struct *task)
{
	return task->security;
}

#endif /* _LINUX_LSMPMON_TASK_H */
