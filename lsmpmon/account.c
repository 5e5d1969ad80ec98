// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: recording calls of any kind
 *
 * These are the calls that were disturbed or denied, or whose callbacks were.  The
 * rules of record.c hold here, too.
 */

#include <linux/kprobes.h>
#include <linux/lsmpmon_task.h>

#include "account.h"
#include "cell.h"
#include "clock.h"
#include "denial.h"
#include "describe.h"
#include "slow.h"
#include "stack.h"
#include "write.h"

/* Count a disturbed call in the buckets of its hook. */
static void lsmpmon_account_buckets(unsigned long offset,
				    const struct lsmpmon_time *time)
{
	struct lsmpmon_buckets *buckets =
		&raw_cpu_read(lsmpmon_cpu.histogram)[offset / LSMPMON_OFFSET(1)];
	const unsigned int wall = lsmpmon_bucket(time->wall);

	if (time->backwards)
		return;
	if (lsmpmon_is_switched(time)) {
		lsmpmon_add(&buckets->wall[wall], 1);
	} else {
		lsmpmon_add(&buckets->count[wall], 1);
		lsmpmon_add(&buckets->own[wall], -1);
	}
	if (!time->unknown)
		lsmpmon_add(&buckets->own[lsmpmon_bucket(time->own)], 1);
}

/* Add a disturbed hook call to the current system call. */
static void lsmpmon_account_call(const struct lsmpmon_time *time)
{
	lsmpmon_calls_add(time->wall, time->wall - time->own);
	if (time->unknown && in_task())
		WRITE_ONCE(lsmpmon_of(current)->call.delay.unknown, true);
}

/**
 * lsmpmon_account_extras - record what features add to a disturbed call
 * @offset: LSMPMON_OFFSET() of the hook
 * @time: times of the call
 *
 * Context: any, as a writer.
 */
void lsmpmon_account_extras(unsigned long offset, const struct lsmpmon_time *time)
{
	if (static_branch_unlikely(&lsmpmon_histogram_on))
		lsmpmon_account_buckets(offset, time);
	if (static_branch_unlikely(&lsmpmon_calls_on))
		lsmpmon_account_call(time);
	lsmpmon_record_pairs(offset, time->wall, time);
}

NOKPROBE_SYMBOL(lsmpmon_account_extras);

/* Take the part of the delay that is a callback's out of its own time. */
static void lsmpmon_part_time(const struct lsmpmon_frame *frame,
			      const struct lsmpmon_callback *callback,
			      struct lsmpmon_time *time)
{
	const struct lsmpmon_part *part = &frame->part[callback->part];

	if (callback->part == LSMPMON_PARTS) {
		time->own = 0;
		time->unknown = true;
		return;
	}
	time->slept = part->slept;
	time->preempted = part->preempted;
	time->own -= part->slept + part->preempted + part->irq;
}

/*
 * Times of a callback of a hook call with the given times; NULL if neither was
 * disturbed.  If the hook call had a context switch inside, its callbacks count as if
 * they had, too.
 */
static const struct lsmpmon_time *
lsmpmon_callback_time(const struct lsmpmon_frame *frame,
		      const struct lsmpmon_callback *callback,
		      const struct lsmpmon_time *hook, struct lsmpmon_time *time)
{
	/* Of a hook call in which the clock went back. */
	static const struct lsmpmon_time unknown = {
		.disturbance = LSMPMON_SWITCHED, .unknown = true,
	};
	const bool switched = lsmpmon_is_switched(hook);

	if (hook && hook->backwards)
		return &unknown;
	if (lsmpmon_went_back(callback->ticks))
		return &lsmpmon_no_time;
	if (!switched && !callback->disturbance)
		return NULL;
	*time = (struct lsmpmon_time){
		.wall = callback->ticks,
		.own = callback->ticks,
		.disturbance = switched ? LSMPMON_SWITCHED :
					  callback->disturbance,
	};
	if (callback->disturbance)
		lsmpmon_part_time(frame, callback, time);
	return time;
}

/**
 * lsmpmon_record_stacks - record the callbacks of a hook call by operation
 * @frame: frame of the call, unlinked
 * @offset: LSMPMON_OFFSET() of the hook
 * @time: times of the call if it was disturbed, else NULL
 *
 * Context: any, as a writer.
 */
void lsmpmon_record_stacks(const struct lsmpmon_frame *frame,
			   unsigned long offset, const struct lsmpmon_time *time)
{
	const unsigned int first = offset / LSMPMON_OFFSET(1) * LSMPMON_PLACES;
	const struct lsmpmon_callback *callback = frame->callback;
	const unsigned int operation = lsmpmon_operation();
	struct lsmpmon_time storage;
	unsigned int i, row;

	for (i = 0; i < frame->callbacks; i++, callback++) {
		row = lsmpmon_stack_row(first + callback->place);
		if (unlikely(!row))
			lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.lost), 1);
		else
			lsmpmon_pair_count(LSMPMON_BY_STACK, row - 1, operation,
					   callback->ticks,
					   lsmpmon_callback_time(frame, callback,
								 time, &storage));
	}
}

NOKPROBE_SYMBOL(lsmpmon_record_stacks);

/* Record the callbacks of a hook call by module. */
static void lsmpmon_account_modules(struct lsmpmon_cpu *c,
				    const struct lsmpmon_frame *frame,
				    unsigned long offset,
				    const struct lsmpmon_time *time)
{
	const unsigned long first = offset / LSMPMON_OFFSET(1) * LSMPMON_PLACES;
	const struct lsmpmon_callback *callback = frame->callback;
	struct lsmpmon_time storage;
	unsigned int i;

	for (i = 0; i < frame->callbacks; i++, callback++)
		lsmpmon_count(c->callback[first + callback->place],
			      callback->denied, callback->ticks,
			      lsmpmon_callback_time(frame, callback, time,
						    &storage));
}

/* Record callbacks in the tables that exist now: features may have been switched. */
static void lsmpmon_account_callbacks(struct lsmpmon_cpu *c,
				      const struct lsmpmon_frame *frame,
				      unsigned long offset,
				      const struct lsmpmon_time *time)
{
	if (static_branch_likely(&lsmpmon_module_on))
		lsmpmon_account_modules(c, frame, offset, time);
	if (static_branch_unlikely(&lsmpmon_stack_on))
		lsmpmon_record_stacks(frame, offset, time);
}

/* Record what features add to an undisturbed call that was denied. */
static void lsmpmon_account_quiet(unsigned long offset, u64 ticks)
{
	if (static_branch_unlikely(&lsmpmon_histogram_on))
		lsmpmon_count_bucket(offset, ticks);
	if (static_branch_unlikely(&lsmpmon_calls_on))
		lsmpmon_calls_add(ticks, 0);
	lsmpmon_record_pairs(offset, ticks, NULL);
}

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
