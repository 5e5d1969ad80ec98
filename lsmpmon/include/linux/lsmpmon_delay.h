/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what a call is delayed by
 */

#ifndef _LINUX_LSMPMON_DELAY_H
#define _LINUX_LSMPMON_DELAY_H

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

#endif /* _LINUX_LSMPMON_DELAY_H */
