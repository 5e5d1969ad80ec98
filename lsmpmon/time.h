/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the time of a disturbed call
 *
 * An undisturbed call has one duration.  One that was interrupted, or whose task left
 * the CPU, has a duration from begin to end, an own one, and a time off the CPU.
 */

#ifndef _SECURITY_LSMPMON_TIME_H
#define _SECURITY_LSMPMON_TIME_H

#include <linux/types.h>

struct lsmpmon_delay;

/* What happened inside a call. */
enum lsmpmon_disturbance {
	LSMPMON_QUIET,
	LSMPMON_INTERRUPTED,
	LSMPMON_SWITCHED,
};

/**
 * struct lsmpmon_time - times of a disturbed call
 * @wall: ticks from begin to end
 * @disturbance: what disturbed the call; not LSMPMON_QUIET
 * @backwards: whether the clock went back: @wall is 0, and the call counts as one
 *	with a context switch inside
 * @own: ticks on the CPU without interrupts
 * @slept: ticks for which the task slept
 * @preempted: ticks for which the task was off the CPU and could have run
 * @unknown: whether the delay is not known: @own, @slept and @preempted are 0
 */
struct lsmpmon_time {
	u64 wall;
	enum lsmpmon_disturbance disturbance;
	bool backwards;
	u64 own;
	u64 slept;
	u64 preempted;
	bool unknown;
};

extern const struct lsmpmon_time lsmpmon_no_time;

/**
 * lsmpmon_is_switched - test whether a call counts as one with a context switch inside
 * @time: times of the call; NULL for an undisturbed call
 *
 * Context: any.
 * Return: true if there was a context switch, or if the clock went back.
 */
static inline bool lsmpmon_is_switched(const struct lsmpmon_time *time)
{
	return time && time->disturbance == LSMPMON_SWITCHED;
}

void lsmpmon_time_own(struct lsmpmon_time *time, u64 begin,
		      const struct lsmpmon_delay *delay);

#endif /* _SECURITY_LSMPMON_TIME_H */
