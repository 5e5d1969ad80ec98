/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the share of hooks in a system call
 *
 * Hook calls that end are added up here; calls.c counts whole system calls.
 */

#ifndef _SECURITY_LSMPMON_SHARE_H
#define _SECURITY_LSMPMON_SHARE_H

#include <linux/lsmpmon_task.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "frame.h"
#include "times.h"

/*
 * Whether the ending hook call is inside no other recorded one.  Its own span is
 * unlinked already; spans of rejected calls are linked, but not recorded.
 */
static inline bool lsmpmon_is_outermost(void)
{
	return !lsmpmon_recorded_span(READ_ONCE(lsmpmon_of(current)->span), NULL);
}

/*
 * Add to the current system call; nested hook calls add no time.  @away is the part
 * of @ticks that is not own time.
 */
static __always_inline void lsmpmon_calls_add(u64 ticks, u64 away)
{
	struct lsmpmon_call *call = &lsmpmon_of(current)->call;

	if (!in_task())
		return;
	call->hook_count++;
	if (!lsmpmon_is_outermost())
		return;
	call->hook_sum += ticks;
	call->hook_away += away;
}

/* Add a disturbed hook call to the current system call. */
static inline void lsmpmon_account_call(const struct lsmpmon_time *time)
{
	lsmpmon_calls_add(time->wall, time->wall - time->own);
	if (time->unknown && in_task())
		WRITE_ONCE(lsmpmon_of(current)->call.delay.unknown, true);
}

#endif /* _SECURITY_LSMPMON_SHARE_H */
