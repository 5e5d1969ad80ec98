/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the times of disturbed calls
 *
 * An undisturbed call has one duration.  One that was interrupted, or whose task left
 * the CPU, has a duration from begin to end, an own one, and a time off the CPU.
 */

#ifndef _SECURITY_LSMPMON_TIMES_H
#define _SECURITY_LSMPMON_TIMES_H

#include <linux/lsmpmon_task.h>

struct seq_file;

/* What happened inside a call. */
enum lsmpmon_disturbance {
	LSMPMON_QUIET,
	LSMPMON_INTERRUPTED,
	LSMPMON_SWITCHED,
};

/**
 * struct lsmpmon_time - times of a disturbed call
 * @wall: ticks from begin to end
 * @own: ticks on the CPU without interrupts
 * @slept: ticks for which the task slept
 * @preempted: ticks for which the task was off the CPU and could have run
 * @disturbance: what disturbed the call; not LSMPMON_QUIET
 * @unknown: whether the delay is not known: @own, @slept and @preempted are 0
 * @backwards: whether the clock went back: @wall is 0, too, and the call counts as
 *	one with a context switch inside
 */
struct lsmpmon_time {
	u64 wall;
	u64 own;
	u64 slept;
	u64 preempted;
	enum lsmpmon_disturbance disturbance;
	bool unknown;
	bool backwards;
};

/**
 * struct lsmpmon_times - counters of the times of disturbed calls
 * @irq_time: ticks that interrupts took out of calls without a context switch inside
 * @cs_sum: ticks of the calls with a context switch inside, from begin to end
 * @cs_own: own ticks of these calls
 * @cs_max: most ticks of such a call, from begin to end
 * @slept: ticks for which tasks slept in these calls
 * @preempted: ticks for which tasks were preempted in these calls
 * @unknown: calls whose own ticks are not known; all ticks of those without a context
 *	switch inside are in @irq_time
 */
struct lsmpmon_times {
	u64 irq_time;
	u64 cs_sum;
	u64 cs_own;
	u64 cs_max;
	u64 slept;
	u64 preempted;
	u64 unknown;
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

void lsmpmon_time_set(struct lsmpmon_time *time, u64 begin, u64 end,
		      const struct lsmpmon_delay *delay,
		      enum lsmpmon_disturbance disturbance);
void lsmpmon_times_count(struct lsmpmon_times *times,
			 const struct lsmpmon_time *time);
void lsmpmon_times_add(struct lsmpmon_times *total,
		       const struct lsmpmon_times *times);
void lsmpmon_times_head(struct seq_file *m);
void lsmpmon_times_show(struct seq_file *m, const struct lsmpmon_times *times);

#endif /* _SECURITY_LSMPMON_TIMES_H */
