/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the marks of disturbed spans
 */

#ifndef _SECURITY_LSMPMON_MARK_H
#define _SECURITY_LSMPMON_MARK_H

#include <linux/lsmpmon_hooks.h>
#include <linux/sched.h>

#include "delay.h"
#include "frame.h"

/**
 * lsmpmon_mark_switched - mark the innermost span of a task: a context switch is inside
 * @task: the current task, or one that is switched in
 *
 * Context: any, preemption off.
 */
static inline void lsmpmon_mark_switched(struct task_struct *task)
{
	struct lsmpmon_span *span = READ_ONCE(lsmpmon_of(task)->span);

	if (span)
		WRITE_ONCE(span->switched, true);
}

/**
 * lsmpmon_mark_interrupted - mark the innermost span of the current task
 *
 * Context: interrupt, softirq or NMI.
 */
static inline void lsmpmon_mark_interrupted(void)
{
	struct lsmpmon_span *span = READ_ONCE(lsmpmon_of(current)->span);

	if (span)
		WRITE_ONCE(span->interrupted, true);
}

/**
 * lsmpmon_marks_pass_on - pass the marks of a span on to the span around it
 * @span: span of the current task, unlinked
 *
 * Context: any.
 */
static inline void lsmpmon_marks_pass_on(const struct lsmpmon_span *span)
{
	struct lsmpmon_span *outer = span->outer;

	if (!outer || !lsmpmon_is_marked(span))
		return;
	lsmpmon_delay_pass_on(&span->delay, outer);
	if (READ_ONCE(span->interrupted))
		WRITE_ONCE(outer->interrupted, true);
	if (READ_ONCE(span->switched))
		WRITE_ONCE(outer->switched, true);
}

#endif /* _SECURITY_LSMPMON_MARK_H */
