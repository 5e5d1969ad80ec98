// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: recording calls
 *
 * That of undisturbed calls is the hot path: it takes no lock, writes no shared cache
 * line, allocates nothing and does not divide.  All of it is safe in task, softirq,
 * hardirq and NMI context, since each counter is updated atomically with respect to
 * this CPU.
 */

#include <linux/kprobes.h>

#include "cell.h"
#include "denial.h"
#include "describe.h"
#include "parts.h"
#include "record.h"
#include "slow.h"
#include "write.h"

/* Count a call in which the clock went back, and end the record. */
static noinline __kprobes void
lsmpmon_finish_backwards(unsigned long offset, struct lsmpmon_cell *cell)
{
	lsmpmon_count_backwards(cell);
	lsmpmon_account_extras(offset, &lsmpmon_no_time);
	lsmpmon_write_unlock();
}

/**
 * lsmpmon_finish_extreme - record a call that is a new minimum or maximum
 * @offset: LSMPMON_OFFSET() of the hook
 * @cell: cell of the call
 * @ticks: duration of the call; invalid if the clock went back
 *
 * Context: any, as a writer; ends with lsmpmon_write_unlock().
 */
void lsmpmon_finish_extreme(unsigned long offset, struct lsmpmon_cell *cell,
			    u64 ticks)
{
	if (unlikely(!lsmpmon_count_quiet(cell, ticks)))
		lsmpmon_finish_backwards(offset, cell);
	else if (static_branch_unlikely(&lsmpmon_extras))
		static_call(lsmpmon_finish)(offset, ticks);
	else
		lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_finish_extreme);

/* Record a call of any kind in all tables. */
static void lsmpmon_account_all(const struct lsmpmon_frame *frame,
				unsigned long offset, int rc, u64 ticks,
				const struct lsmpmon_time *time)
{
	struct lsmpmon_cpu *c = raw_cpu_ptr(&lsmpmon_cpu);
	const bool denied = lsmpmon_denies(rc);

	lsmpmon_count((void *)c->cell + offset, denied, ticks, time);
	if (unlikely(denied))
		lsmpmon_denial_count(c, offset / LSMPMON_OFFSET(1), rc,
				     lsmpmon_is_switched(time));
	if (frame->span.flags & LSMPMON_INSPECTED)
		lsmpmon_account_callbacks(c, frame, offset, time);
	if (!static_branch_unlikely(&lsmpmon_extras))
		return;
	if (time)
		lsmpmon_account_extras(offset, time);
	else
		lsmpmon_account_quiet(offset, ticks);
}

/*
 * Record a call that may be one of the slowest of its hook.  It is described outside of
 * the record, since that may take locks.  Whether it has to be is decided in a record,
 * so that a reset is before all of that or after all of it.
 */
static noinline __kprobes void
lsmpmon_account_noted(const struct lsmpmon_frame *frame, unsigned long offset,
		      int rc, u64 ticks, const struct lsmpmon_time *time)
{
	const enum lsmpmon_hook hook = offset / LSMPMON_OFFSET(1);
	struct lsmpmon_slow call;

	if (!lsmpmon_write_lock())
		return;
	if (lsmpmon_is_slow(hook, ticks, time)) {
		lsmpmon_write_unlock();
		lsmpmon_describe(&call, frame, rc, ticks, time);
		if (!lsmpmon_write_lock())
			return;
		lsmpmon_slow_insert(hook, &call);
	}
	lsmpmon_account_all(frame, offset, rc, ticks, time);
	lsmpmon_write_unlock();
}

/**
 * lsmpmon_account - record a call of any kind
 * @frame: frame of the call, unlinked
 * @offset: LSMPMON_OFFSET() of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 * @ticks: duration of the call
 * @time: times of the call if it was disturbed, else NULL
 *
 * Context: any.
 */
void lsmpmon_account(const struct lsmpmon_frame *frame, unsigned long offset,
		     int rc, u64 ticks, const struct lsmpmon_time *time)
{
	if (static_branch_unlikely(&lsmpmon_slowest_on) &&
	    frame->span.flags & LSMPMON_NOTED) {
		lsmpmon_account_noted(frame, offset, rc, ticks, time);
		return;
	}
	if (!lsmpmon_write_lock())
		return;
	lsmpmon_account_all(frame, offset, rc, ticks, time);
	lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_account);
