// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: unusual spans
 *
 * A call is unusual if it is disturbed, denied, traced or filtered, or if its
 * callbacks are measured.
 */

#include <linux/kprobes.h>

#include "denial.h"
#include "disturbance.h"
#include "keys.h"
#include "span.h"
#include "timed.h"
#include "trace.h"

/* Whether measured callbacks are all that makes a call unusual. */
static __always_inline bool
lsmpmon_is_uneventful(const struct lsmpmon_span *span)
{
	static const struct lsmpmon_span inspected = {
		.flags = LSMPMON_INSPECTED,
	};

	return READ_ONCE(span->unusual) == inspected.unusual;
}

/* Return what disturbed an unlinked span, and mark the outer span with it. */
static enum lsmpmon_disturbance lsmpmon_pass_on(struct lsmpmon_span *span)
{
	struct lsmpmon_span *outer = span->outer;
	const bool interrupted = READ_ONCE(span->interrupted);
	const bool switched = READ_ONCE(span->switched);

	if (outer && interrupted)
		WRITE_ONCE(outer->interrupted, true);
	if (outer && switched)
		WRITE_ONCE(outer->switched, true);
	if (switched)
		return LSMPMON_SWITCHED;
	return interrupted ? LSMPMON_INTERRUPTED : LSMPMON_QUIET;
}

/* Begin a hook call with the given flags. */
static __always_inline void lsmpmon_begin_flagged(struct lsmpmon_frame *frame,
						  u8 flags)
{
	frame->span.unusual = 0;
	frame->span.flags = flags;
	frame->callbacks = 0;
	frame->ended = false;
	frame->interrupted = false;
	frame->switched = false;
	frame->zero = 0;
	lsmpmon_span_open(&frame->span);
}

static noinline __kprobes void
lsmpmon_begin_traced(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
		     u8 flags)
{
	lsmpmon_trace_enter(hook);
	lsmpmon_begin_flagged(frame, flags | LSMPMON_TRACED);
	lsmpmon_mark_unknown(&frame->span);
}

/* lsmpmon_skip_timing() for a call that the filter selects. */
static __always_inline bool lsmpmon_skip_timing_selected(struct lsmpmon_frame *frame)
{
	return static_branch_unlikely(&lsmpmon_sampling) &&
	       static_branch_unlikely(&lsmpmon_filtered) &&
	       !static_branch_unlikely(&lsmpmon_traced) &&
	       !static_branch_unlikely(&lsmpmon_calls_on) &&
	       lsmpmon_skip_timing(frame);
}

/* Begin a hook call that no filter rejects. */
static __always_inline void
lsmpmon_begin_selected(struct lsmpmon_frame *frame, enum lsmpmon_hook hook)
{
	const u8 flags = lsmpmon_inspects() ? LSMPMON_INSPECTED : 0;

	if (lsmpmon_skip_timing_selected(frame))
		return;
	if (static_branch_unlikely(&lsmpmon_traced))
		lsmpmon_begin_traced(frame, hook, flags);
	else
		lsmpmon_begin_flagged(frame, flags);
}

/* Begin a hook call that the filter rejects: it is traced, but not recorded. */
static noinline __kprobes void
lsmpmon_begin_rejected(struct lsmpmon_frame *frame, enum lsmpmon_hook hook)
{
	if (static_branch_unlikely(&lsmpmon_traced)) {
		lsmpmon_begin_traced(frame, hook, LSMPMON_UNSELECTED);
		return;
	}
	frame->span.unusual = 0;
	frame->span.flags = LSMPMON_IGNORED;
	lsmpmon_span_link(&frame->span);
}

/**
 * lsmpmon_begin_detailed - begin a hook call on the detailed path
 * @frame: frame of the call, on the stack of the function that dispatches it
 * @hook: number of the hook
 *
 * The flags of the call are set only here, so that the filter, features and
 * tracing can be switched at any time.
 *
 * Context: any.
 * Return: true if the filter needs the object of the call, which has not begun
 *	then; false otherwise.
 */
bool lsmpmon_begin_detailed(struct lsmpmon_frame *frame, enum lsmpmon_hook hook)
{
	if (static_branch_unlikely(&lsmpmon_filtered)) {
		switch (lsmpmon_select()) {
		case LSMPMON_NEEDS_OBJECT:
			return true;
		case LSMPMON_REJECTED:
			lsmpmon_begin_rejected(frame, hook);
			return false;
		case LSMPMON_SELECTED:
			break;
		}
	}
	lsmpmon_begin_selected(frame, hook);
	return false;
}

NOKPROBE_SYMBOL(lsmpmon_begin_detailed);

/**
 * lsmpmon_begin_decided - begin a hook call whose object was compared
 * @frame: as for lsmpmon_begin_detailed()
 * @hook: number of the hook
 * @selected: whether the filter selects the object
 *
 * Context: any, after lsmpmon_begin_detailed() has returned true.
 */
void lsmpmon_begin_decided(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			   bool selected)
{
	if (selected)
		lsmpmon_begin_selected(frame, hook);
	else
		lsmpmon_begin_rejected(frame, hook);
}

NOKPROBE_SYMBOL(lsmpmon_begin_decided);

/*
 * Return what disturbed a callback that has ended, and move the marks of the span
 * to the frame, so that marks of the next callback can be distinguished.  A mark
 * that is set again before it is cleared needs no attention: the frame already
 * has it, and the next callback has not begun.
 */
static enum lsmpmon_disturbance lsmpmon_take_marks(struct lsmpmon_frame *frame)
{
	enum lsmpmon_disturbance disturbance = LSMPMON_QUIET;
	struct lsmpmon_span *span = &frame->span;

	if (READ_ONCE(span->interrupted)) {
		frame->interrupted = true;
		WRITE_ONCE(span->interrupted, false);
		disturbance = LSMPMON_INTERRUPTED;
	}
	if (READ_ONCE(span->switched)) {
		frame->switched = true;
		WRITE_ONCE(span->switched, false);
		disturbance = LSMPMON_SWITCHED;
	}
	if (disturbance)
		span->flags |= LSMPMON_EVENTFUL;
	return disturbance;
}

static __always_inline void
lsmpmon_open_callback(struct lsmpmon_callback *callback, unsigned int place)
{
	callback->place = place;
	callback->denied = false;
	callback->disturbance = LSMPMON_QUIET;
}

/* End the callback in progress. */
static void lsmpmon_close_callback(struct lsmpmon_frame *frame, int rc, u64 now)
{
	struct lsmpmon_callback *callback =
		&frame->callback[frame->callbacks - 1];

	callback->ticks = now - callback->ticks;
	callback->denied = lsmpmon_denies(rc);
	callback->disturbance = lsmpmon_take_marks(frame);
	if (callback->denied)
		frame->span.flags |= LSMPMON_EVENTFUL;
}

static __always_inline bool
lsmpmon_callback_is_under_way(const struct lsmpmon_frame *frame)
{
	return frame->callbacks && !frame->ended;
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
	lsmpmon_take_marks(frame);
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

/* End the last callback.  The span is unlinked, so its marks no longer change. */
static void lsmpmon_end_last_callback(struct lsmpmon_frame *frame, int rc,
				      u64 now)
{
	if (lsmpmon_callback_is_under_way(frame))
		lsmpmon_close_callback(frame, rc, now);
	frame->span.interrupted |= frame->interrupted;
	frame->span.switched |= frame->switched;
}

/* End a hook call of any kind. */
static noinline __kprobes void
lsmpmon_end_any(struct lsmpmon_frame *frame, unsigned long offset, int rc,
		u64 now)
{
	struct lsmpmon_span *span = &frame->span;
	const u64 ticks = now - span->begin;
	const u8 flags = span->flags;
	enum lsmpmon_disturbance disturbance;

	if (flags & LSMPMON_INSPECTED)
		lsmpmon_end_last_callback(frame, rc, now);
	disturbance = lsmpmon_pass_on(span);
	if (!(flags & LSMPMON_UNSELECTED))
		lsmpmon_record(frame, offset, rc, ticks, disturbance);
	if (flags & LSMPMON_TRACED)
		lsmpmon_trace_exit(offset / LSMPMON_OFFSET(1), rc, ticks,
				   disturbance);
}

/**
 * lsmpmon_end_unusual - end an unusual hook call
 * @offset: LSMPMON_OFFSET() of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 * @now: clock when the call ended
 * @frame: frame of the call, unlinked
 *
 * Context: any.
 */
noinline void lsmpmon_end_unusual(unsigned long offset, int rc, u64 now,
				  struct lsmpmon_frame *frame)
{
	if (frame->span.flags & LSMPMON_IGNORED)
		lsmpmon_pass_on(&frame->span);
	else if (likely(!rc && lsmpmon_is_uneventful(&frame->span)))
		lsmpmon_record_inspected(offset, frame, now);
	else
		lsmpmon_end_any(frame, offset, rc, now);
}

NOKPROBE_SYMBOL(lsmpmon_end_unusual);

/**
 * lsmpmon_end_at - end the innermost hook call at a given time
 * @offset: LSMPMON_OFFSET() of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 * @now: clock when the call ended
 *
 * The order of the arguments is that of the tail calls, so that they stay in their
 * registers.
 *
 * Context: any.
 */
void lsmpmon_end_at(unsigned long offset, int rc, u64 now)
{
	struct lsmpmon_frame *frame = lsmpmon_span_unlink();

	if (unlikely(rc | READ_ONCE(frame->span.unusual)))
		lsmpmon_end_unusual(offset, rc, now, frame);
	else
		lsmpmon_record_usual(offset, now - frame->span.begin);
}

NOKPROBE_SYMBOL(lsmpmon_end_at);

/**
 * lsmpmon_begin_undecided - begin a hook call whose object is not known yet
 * @frame: as for lsmpmon_begin_detailed()
 * @hook: number of the hook
 *
 * lsmpmon_loop_decide() follows when the object is known.
 *
 * Context: any.
 */
void lsmpmon_begin_undecided(struct lsmpmon_frame *frame, enum lsmpmon_hook hook)
{
	const u8 flags = LSMPMON_UNSELECTED | LSMPMON_UNDECIDED;

	if (static_branch_unlikely(&lsmpmon_traced))
		lsmpmon_begin_traced(frame, hook, flags);
	else
		lsmpmon_begin_flagged(frame, flags);
}

NOKPROBE_SYMBOL(lsmpmon_begin_undecided);
