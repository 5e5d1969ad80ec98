// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the times of disturbed calls
 */

#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>

#include "clock.h"
#include "counter.h"
#include "times.h"

/* Times of a call in which the clock went back. */
const struct lsmpmon_time lsmpmon_no_time = {
	.disturbance = LSMPMON_SWITCHED,
	.unknown = true,
	.backwards = true,
};

/* Whether all of a delay is in [@begin, @end]. */
static bool lsmpmon_is_within(const struct lsmpmon_delay *delay, u64 begin, u64 end)
{
	return !delay->unknown && !lsmpmon_went_back(delay->since - begin) &&
	       !lsmpmon_went_back(end - delay->until);
}

/* Whether nothing of a delay is in [@begin, @end]. */
static bool lsmpmon_is_outside(const struct lsmpmon_delay *delay, u64 begin, u64 end)
{
	return !delay->unknown && (!lsmpmon_went_back(begin - delay->until) ||
				   !lsmpmon_went_back(delay->since - end));
}

/**
 * lsmpmon_time_set - determine the times of a disturbed call
 * @time: set to the times
 * @begin: clock when the call began
 * @end: clock when the call ended
 * @delay: delay of the call
 * @disturbance: what disturbed the call
 *
 * A span is linked before its first clock read and unlinked after its last one.  What
 * happens in between is in its delay, but not in its duration.
 *
 * Context: any.
 */
void lsmpmon_time_set(struct lsmpmon_time *time, u64 begin, u64 end,
		      const struct lsmpmon_delay *delay,
		      enum lsmpmon_disturbance disturbance)
{
	const u64 wall = end - begin;
	const u64 away = delay->slept + delay->preempted + delay->irq;

	if (unlikely(lsmpmon_went_back(wall))) {
		*time = lsmpmon_no_time;
		return;
	}
	*time = (struct lsmpmon_time){
		.wall = wall, .own = wall, .disturbance = disturbance,
	};
	if (lsmpmon_is_outside(delay, begin, end))
		return;
	if (!lsmpmon_is_within(delay, begin, end) || away > wall) {
		time->own = 0;
		time->unknown = true;
		return;
	}
	time->own = wall - away;
	time->slept = delay->slept;
	time->preempted = delay->preempted;
}

NOKPROBE_SYMBOL(lsmpmon_time_set);

/**
 * lsmpmon_times_count - count the times of a disturbed call
 * @times: counters of this CPU
 * @time: times of the call
 *
 * Context: any, as a writer.
 */
void lsmpmon_times_count(struct lsmpmon_times *times,
			 const struct lsmpmon_time *time)
{
	if (time->unknown)
		lsmpmon_add(&times->unknown, 1);
	if (time->disturbance != LSMPMON_SWITCHED) {
		lsmpmon_add(&times->irq_time, time->wall - time->own);
		return;
	}
	lsmpmon_add(&times->cs_sum, time->wall);
	lsmpmon_add(&times->cs_own, time->own);
	lsmpmon_raise(&times->cs_max, time->wall);
	lsmpmon_add(&times->slept, time->slept);
	lsmpmon_add(&times->preempted, time->preempted);
}

NOKPROBE_SYMBOL(lsmpmon_times_count);

/**
 * lsmpmon_times_add - add times to others
 * @total: the sum
 * @times: the times to add
 *
 * Context: any; nobody else may be writing to either.
 */
void lsmpmon_times_add(struct lsmpmon_times *total,
		       const struct lsmpmon_times *times)
{
	total->irq_time += times->irq_time;
	total->cs_sum += times->cs_sum;
	total->cs_own += times->cs_own;
	total->cs_max = max(total->cs_max, times->cs_max);
	total->slept += times->slept;
	total->preempted += times->preempted;
	total->unknown += times->unknown;
}

/**
 * lsmpmon_times_head - print the names of the columns of lsmpmon_times_show()
 * @m: the file, within a line
 *
 * Context: process context.
 */
void lsmpmon_times_head(struct seq_file *m)
{
	seq_printf(m, " %10s %14s %14s %12s %14s %14s %8s", "irq_time", "cs_sum",
		   "cs_own", "cs_max", "slept", "preempted", "unknown");
}

/**
 * lsmpmon_times_show - print the times of disturbed calls
 * @m: the file, within a line
 * @times: the times
 *
 * Context: process context.
 */
void lsmpmon_times_show(struct seq_file *m, const struct lsmpmon_times *times)
{
	seq_printf(m, " %10llu %14llu %14llu %12llu %14llu %14llu %8llu",
		   times->irq_time, times->cs_sum, times->cs_own, times->cs_max,
		   times->slept, times->preempted, times->unknown);
}
