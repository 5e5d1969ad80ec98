/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the share of hooks in a system call
 *
 * Hook calls that end are added up here; calls.c counts whole system calls.
 */

#ifndef _SECURITY_LSMPMON_SHARE_H
#define _SECURITY_LSMPMON_SHARE_H

#include <linux/build_bug.h>
#include <linux/lsmpmon_task.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "frame.h"
#include "operation.h"
#include "store.h"
#include "time.h"
#include "times.h"

/* The share of hooks in a system call is counted in tenths. */
#define LSMPMON_TENTHS	10

/**
 * struct lsmpmon_share - counters of one system call, entry to exit
 * @count: calls without a context switch inside
 * @sum: ticks of the calls in @count
 * @hook_count: hook calls inside the calls in @count
 * @hook_sum: ticks of the hook calls in @hook_count
 * @cs_count: calls with a context switch inside
 * @times: times of disturbed calls
 * @cs_hook_count: hook calls inside the calls in @cs_count
 * @cs_hook_sum: ticks of the hook calls in @cs_hook_count
 * @hook_own: own ticks of the hook calls in @hook_count and @cs_hook_count
 * @tenth: calls by the share of hooks in their own time
 */
struct lsmpmon_share {
	u64 count;
	u64 sum;
	u64 hook_count;
	u64 hook_sum;
	u64 cs_count;
	struct lsmpmon_times times;
	u64 cs_hook_count;
	u64 cs_hook_sum;
	u64 hook_own;
	u64 tenth[LSMPMON_TENTHS];
};

#define LSMPMON_SHARE_SIZE \
	(LSMPMON_OPERATIONS * sizeof(struct lsmpmon_share))

static_assert(sizeof(struct lsmpmon_share) <= LSMPMON_COPY_SIZE);

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
