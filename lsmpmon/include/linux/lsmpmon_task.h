/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: state of a task
 */

#ifndef _LINUX_LSMPMON_TASK_H
#define _LINUX_LSMPMON_TASK_H

#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/types.h>

struct lsmpmon_span;

/* Nested interrupts of a task that are timed: a softirq, and an interrupt in it. */
#define LSMPMON_IRQS	2

/**
 * struct lsmpmon_delay - time within a call that was not spent on executing it
 * @slept: ticks for which the task slept
 * @preempted: ticks for which the task was off the CPU and could have run
 * @irq: ticks of interrupts
 * @since: clock when the first of them began
 * @until: clock when the last of them ended
 * @unknown: there were others, whose ticks are not known
 */
struct lsmpmon_delay {
	u64			slept;
	u64			preempted;
	u64			irq;
	u64			since;
	u64			until;
	bool			unknown;
};

/**
 * struct lsmpmon_irq - an interrupt in progress
 * @begin: clock when it began; 0 if its time is not needed
 * @span: innermost span when it began
 */
struct lsmpmon_irq {
	u64			begin;
	struct lsmpmon_span	*span;
};

/* Nested waits of a task that are timed: reclaim, a lock, and spinlocks in those. */
#define LSMPMON_WAITS	4

/**
 * struct lsmpmon_waiting - a wait in progress
 * @what: what is waited for, and in which context, see wait.c; 0 if there is none
 * @begin: clock when it began, without the time of waits inside it
 */
struct lsmpmon_waiting {
	unsigned long		what;
	u64			begin;
};

/**
 * struct lsmpmon_call - the system call that a task is in
 * @begin: clock at its entry; 0 if the task is in no measured system call
 * @hook_sum: ticks of the hook calls inside that have ended
 * @hook_away: ticks of @hook_sum that are not own time of the hook calls
 * @hook_count: number of hook calls inside that have ended
 * @operation: operation of the system call
 * @switches: context switches of the task before the entry
 * @delay: time of the system call that was not spent on executing it
 */
struct lsmpmon_call {
	u64			begin;
	u64			hook_sum;
	u64			hook_away;
	unsigned int		hook_count;
	unsigned int		operation;
	unsigned long		switches;
	struct lsmpmon_delay	delay;
};

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
