/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: recording calls of any kind
 *
 * What follows is a part of the hot path, too, if it is inline.
 */

#ifndef _SECURITY_LSMPMON_ACCOUNT_H
#define _SECURITY_LSMPMON_ACCOUNT_H

#include <linux/lsmpmon_task.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "frame.h"
#include "keys.h"
#include "operation.h"
#include "outer.h"
#include "pair.h"
#include "payer.h"
#include "store.h"

/* Count an undisturbed call in the buckets of its hook. */
static __always_inline void lsmpmon_count_bucket(unsigned long offset, u64 ticks)
{
	const size_t counters = sizeof(struct lsmpmon_buckets) / sizeof(u64);
	u64 *count = raw_cpu_read(lsmpmon_cpu.histogram)->count;

	BUILD_BUG_ON(counters % LSMPMON_OFFSET(1));
	lsmpmon_add(&count[offset * (counters / LSMPMON_OFFSET(1)) +
			   lsmpmon_bucket(ticks)], 1);
}

static __always_inline void
lsmpmon_payer_count(enum lsmpmon_by kind, unsigned long offset, u64 ticks,
		    const struct lsmpmon_time *time)
{
	const unsigned int column = kind == LSMPMON_BY_TASK ? lsmpmon_task_column() :
				    kind == LSMPMON_BY_CGROUP ? lsmpmon_cgroup_column() :
				    lsmpmon_comm_column();

	if (likely(!time && column < lsmpmon_payer_limit(kind)) &&
	    likely(lsmpmon_pair_count_known(kind, lsmpmon_payer_columns(kind),
					    offset, column, ticks)))
		return;
	if (unlikely(!lsmpmon_pair_count(kind, offset / LSMPMON_OFFSET(1),
					 column, ticks, time)))
		lsmpmon_payer_miss(kind, column);
}

/* Count a call in the rarely used tables; @time is NULL unless it was disturbed. */
static __always_inline void
lsmpmon_record_rare(unsigned long offset, u64 ticks, const struct lsmpmon_time *time)
{
	if (static_branch_unlikely(&lsmpmon_comm_on))
		lsmpmon_payer_count(LSMPMON_BY_COMM, offset, ticks, time);
	if (static_branch_unlikely(&lsmpmon_cgroup_on))
		lsmpmon_payer_count(LSMPMON_BY_CGROUP, offset, ticks, time);
	if (static_branch_unlikely(&lsmpmon_task_on))
		lsmpmon_payer_count(LSMPMON_BY_TASK, offset, ticks, time);
	if (static_branch_unlikely(&lsmpmon_nested_on))
		lsmpmon_pair_count(LSMPMON_BY_OUTER, offset / LSMPMON_OFFSET(1),
				   lsmpmon_outer_column(), ticks, time);
}

/* Count a call in all tables of pairs whose rows are hooks. */
static __always_inline void
lsmpmon_record_pairs(unsigned long offset, u64 ticks,
		     const struct lsmpmon_time *time)
{
	if (static_branch_unlikely(&lsmpmon_syscall_on))
		lsmpmon_pair_count(LSMPMON_BY_SYSCALL,
				   offset / LSMPMON_OFFSET(1),
				   lsmpmon_operation(), ticks, time);
	lsmpmon_record_rare(offset, ticks, time);
}

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

void lsmpmon_record_stacks(const struct lsmpmon_frame *frame,
			   unsigned long offset, const struct lsmpmon_time *time);
void lsmpmon_account_extras(unsigned long offset, const struct lsmpmon_time *time);
void lsmpmon_account(const struct lsmpmon_frame *frame, unsigned long offset,
		     int rc, u64 ticks, const struct lsmpmon_time *time);

#endif /* _SECURITY_LSMPMON_ACCOUNT_H */
