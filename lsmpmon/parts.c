// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: recording the callbacks of calls
 *
 * A callback is recorded together with its hook call, and its times are its parts of those
 * of the call.  The rules of record.c hold here, too.
 */

#include <linux/kprobes.h>

#include "cell.h"
#include "clock.h"
#include "keys.h"
#include "operation.h"
#include "pair.h"
#include "parts.h"
#include "stack.h"

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

/**
 * lsmpmon_account_callbacks - record the callbacks of a hook call of any kind
 * @c: this CPU
 * @frame: frame of the call, unlinked
 * @offset: LSMPMON_OFFSET() of the hook
 * @time: times of the call if it was disturbed, else NULL
 *
 * Only tables that exist now are written to: features may have been switched.
 *
 * Context: any, as a writer.
 */
void lsmpmon_account_callbacks(struct lsmpmon_cpu *c,
			       const struct lsmpmon_frame *frame,
			       unsigned long offset,
			       const struct lsmpmon_time *time)
{
	if (static_branch_likely(&lsmpmon_module_on))
		lsmpmon_account_modules(c, frame, offset, time);
	if (static_branch_unlikely(&lsmpmon_stack_on))
		lsmpmon_record_stacks(frame, offset, time);
}

NOKPROBE_SYMBOL(lsmpmon_account_callbacks);
