// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the time of a disturbed call
 */

#include <linux/kprobes.h>
#include <linux/lsmpmon_delay.h>

#include "clock.h"
#include "time.h"

/* Times of a call in which the clock went back. */
const struct lsmpmon_time lsmpmon_no_time = {
	.disturbance = LSMPMON_SWITCHED,
	.backwards = true,
	.unknown = true,
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
 * lsmpmon_time_own - determine the own time of a disturbed call
 * @time: times of the call, of which @wall and @disturbance are set
 * @begin: clock when the call began
 * @delay: delay of the call
 *
 * A span is linked before its first clock read and unlinked after its last one.  What
 * happens in between is in its delay, but not in its duration.
 *
 * Context: any.
 */
void lsmpmon_time_own(struct lsmpmon_time *time, u64 begin,
		      const struct lsmpmon_delay *delay)
{
	const u64 away = delay->slept + delay->preempted + delay->irq;
	const u64 end = begin + time->wall;

	if (unlikely(lsmpmon_went_back(time->wall))) {
		*time = lsmpmon_no_time;
		return;
	}
	time->own = time->wall;
	if (lsmpmon_is_outside(delay, begin, end))
		return;
	if (!lsmpmon_is_within(delay, begin, end) || away > time->wall) {
		time->own = 0;
		time->unknown = true;
		return;
	}
	time->own -= away;
	time->slept = delay->slept;
	time->preempted = delay->preempted;
}

NOKPROBE_SYMBOL(lsmpmon_time_own);
