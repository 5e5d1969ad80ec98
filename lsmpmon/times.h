/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: counters of the times of disturbed calls
 */

#ifndef _SECURITY_LSMPMON_TIMES_H
#define _SECURITY_LSMPMON_TIMES_H

#include <linux/types.h>

struct lsmpmon_time;
struct seq_file;

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

void lsmpmon_times_count(struct lsmpmon_times *times,
			 const struct lsmpmon_time *time);
void lsmpmon_times_add(struct lsmpmon_times *total,
		       const struct lsmpmon_times *times);
void lsmpmon_times_head(struct seq_file *m);
void lsmpmon_times_show(struct seq_file *m, const struct lsmpmon_times *times);

#endif /* _SECURITY_LSMPMON_TIMES_H */
