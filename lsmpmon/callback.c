// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: callbacks of a hook call in progress
 */

#include <linux/kprobes.h>

#include "callback.h"
#include "cell.h"
#include "clock.h"
#include "delay.h"
#include "frame.h"
#include "time.h"
#include "write.h"

/*
 * Take the delay of a span, and clear the marks that were seen.  If the span is marked
 * meanwhile, it is not known which part of the delay was taken.
 */
static void lsmpmon_take_delay(struct lsmpmon_span *span,
			       struct lsmpmon_delay *taken, bool interrupted,
			       bool switched)
{
	/* Race with an interrupt, which is detected below. */
	data_race(*taken = span->delay);
	if (interrupted)
		WRITE_ONCE(span->interrupted, false);
	if (switched)
		WRITE_ONCE(span->switched, false);
	barrier();
	if (likely(!lsmpmon_is_marked(span) &&
		   READ_ONCE(span->delay.until) == taken->until))
		return;
	taken->unknown = true;
	WRITE_ONCE(span->delay.unknown, true);
}

/*
 * Return what disturbed a callback that has ended, and move the marks of the span and
 * their delay to the frame, so that those of the next callback can be distinguished.
 * @taken is set unless the callback was not disturbed.
 */
static enum lsmpmon_disturbance lsmpmon_take_marks(struct lsmpmon_frame *frame,
						   struct lsmpmon_delay *taken)
{
	struct lsmpmon_span *span = &frame->span;
	const bool interrupted = READ_ONCE(span->interrupted);
	const bool switched = READ_ONCE(span->switched);

	if (!interrupted && !switched)
		return LSMPMON_QUIET;
	lsmpmon_take_delay(span, taken, interrupted, switched);
	if (frame->interrupted || frame->switched)
		lsmpmon_delay_add(&frame->delay, taken);
	else
		frame->delay = *taken;
	frame->interrupted |= interrupted;
	frame->switched |= switched;
	span->flags |= LSMPMON_EVENTFUL;
	return switched ? LSMPMON_SWITCHED : LSMPMON_INTERRUPTED;
}

static __always_inline void
lsmpmon_open_callback(struct lsmpmon_callback *callback, unsigned int place)
{
	callback->place = place;
	callback->denied = false;
	callback->disturbance = LSMPMON_QUIET;
}

/*
 * Keep the part of the delay that is a callback's, which ends @now; it has the clock
 * when it began.
 */
static void lsmpmon_keep_part(struct lsmpmon_frame *frame,
			      struct lsmpmon_callback *callback, u64 now,
			      const struct lsmpmon_delay *delay)
{
	struct lsmpmon_time time = {
		.wall = now - callback->ticks,
		.disturbance = callback->disturbance,
	};

	callback->part = LSMPMON_PARTS;
	lsmpmon_time_own(&time, callback->ticks, delay);
	if (time.unknown || frame->parts == LSMPMON_PARTS)
		return;
	callback->part = frame->parts++;
	frame->part[callback->part] = (struct lsmpmon_part){
		.slept = time.slept,
		.preempted = time.preempted,
		.irq = time.wall - time.own - time.slept - time.preempted,
	};
}

/* End the callback in progress. */
static void lsmpmon_close_callback(struct lsmpmon_frame *frame, int rc, u64 now)
{
	struct lsmpmon_callback *callback =
		&frame->callback[frame->callbacks - 1];
	struct lsmpmon_delay delay;

	callback->disturbance = lsmpmon_take_marks(frame, &delay);
	if (unlikely(callback->disturbance))
		lsmpmon_keep_part(frame, callback, now, &delay);
	callback->ticks = now - callback->ticks;
	callback->denied = lsmpmon_denies(rc);
	if (callback->denied)
		frame->span.flags |= LSMPMON_EVENTFUL;
}

/**
 * lsmpmon_end_callback - end a callback of a hook call
 * @frame: frame of the hook call
 * @rc: return value of the callback; 0 for void hooks and for the hook's default
 *
 * Context: any, in a hook call with LSMPMON_INSPECTED.
 */
void lsmpmon_end_callback(struct lsmpmon_frame *frame, int rc)
{
	const u64 now = lsmpmon_clock();

	if (!lsmpmon_callback_is_under_way(frame))
		return;
	lsmpmon_close_callback(frame, rc, now);
	frame->ended = true;
	frame->span.flags |= LSMPMON_EVENTFUL;
}

NOKPROBE_SYMBOL(lsmpmon_end_callback);

/* Count a callback for which the frame has no room as lost. */
static noinline void lsmpmon_count_lost(void)
{
	if (!lsmpmon_write_lock())
		return;
	lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.lost), 1);
	lsmpmon_write_unlock();
}

/**
 * lsmpmon_begin_callback - begin a callback of a hook call
 * @frame: frame of the hook call
 * @place: place of the callback in the order of the hook
 *
 * Ends the callback in progress, if any, which has returned the hook's default.  A
 * disturbance between the two callbacks is not charged to either.
 *
 * Context: as lsmpmon_end_callback().
 */
void lsmpmon_begin_callback(struct lsmpmon_frame *frame, unsigned int place)
{
	const u64 now = lsmpmon_clock();
	struct lsmpmon_callback *callback;
	struct lsmpmon_delay delay;

	if (lsmpmon_callback_is_under_way(frame))
		lsmpmon_close_callback(frame, 0, now);
	if (unlikely(frame->callbacks == ARRAY_SIZE(frame->callback))) {
		lsmpmon_count_lost();
		frame->ended = true;
		frame->span.flags |= LSMPMON_EVENTFUL;
		return;
	}
	callback = &frame->callback[frame->callbacks++];
	lsmpmon_open_callback(callback, place);
	frame->ended = false;
	lsmpmon_take_marks(frame, &delay);
	callback->ticks = lsmpmon_clock();
}

NOKPROBE_SYMBOL(lsmpmon_begin_callback);

/**
 * lsmpmon_begin_first_callback - begin the first callback of the innermost hook call
 *
 * The callbacks must be called in the order of the hook.
 *
 * Context: as lsmpmon_end_callback().
 */
void lsmpmon_begin_first_callback(void)
{
	struct lsmpmon_frame *frame = lsmpmon_innermost();

	frame->callbacks = 1;
	lsmpmon_open_callback(frame->callback, 0);
	frame->callback->ticks = lsmpmon_clock();
}

NOKPROBE_SYMBOL(lsmpmon_begin_first_callback);

/**
 * lsmpmon_begin_next_callback - begin the next callback of the innermost hook call
 *
 * One clock read ends a callback and begins the next, unless the call was
 * disturbed.  A mark that is set after the check is charged to the next callback,
 * whose time includes the disturbance.
 *
 * Context: as lsmpmon_end_callback().
 */
void lsmpmon_begin_next_callback(void)
{
	const u64 now = lsmpmon_clock();
	struct lsmpmon_frame *frame = lsmpmon_innermost();
	const unsigned int place = frame->callbacks;
	struct lsmpmon_callback *callback = &frame->callback[place];

	if (unlikely(!lsmpmon_is_uneventful(&frame->span))) {
		lsmpmon_begin_callback(frame, place);
		return;
	}
	callback[-1].ticks = now - callback[-1].ticks;
	lsmpmon_open_callback(callback, place);
	frame->callbacks = place + 1;
	callback->ticks = now;
}

NOKPROBE_SYMBOL(lsmpmon_begin_next_callback);

/* Add what was taken from a span to what it has left. */
static void lsmpmon_give_back_marks(struct lsmpmon_frame *frame)
{
	struct lsmpmon_span *span = &frame->span;

	if (!frame->interrupted && !frame->switched)
		return;
	if (lsmpmon_is_marked(span))
		lsmpmon_delay_add(&frame->delay, &span->delay);
	span->delay = frame->delay;
	span->interrupted |= frame->interrupted;
	span->switched |= frame->switched;
}

/**
 * lsmpmon_end_callbacks - end the last callback of a hook call that ends
 * @frame: frame of the hook call, unlinked, so its marks do not change
 * @rc: return value of the last callback
 * @now: clock when the hook call ended
 *
 * Context: as lsmpmon_end_callback().
 */
void lsmpmon_end_callbacks(struct lsmpmon_frame *frame, int rc, u64 now)
{
	if (lsmpmon_callback_is_under_way(frame))
		lsmpmon_close_callback(frame, rc, now);
	lsmpmon_give_back_marks(frame);
}

NOKPROBE_SYMBOL(lsmpmon_end_callbacks);
