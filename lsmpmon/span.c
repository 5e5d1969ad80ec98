// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the ends of spans
 *
 * A call is unusual if it is disturbed, denied, traced or filtered, or if its
 * callbacks are measured.
 */

#include <linux/kprobes.h>

#include "callback.h"
#include "inspect.h"
#include "keys.h"
#include "mark.h"
#include "select.h"
#include "span.h"
#include "timed.h"
#include "time.h"
#include "trace.h"

/* Times of a span that is unlinked; NULL if it was not disturbed. */
static const struct lsmpmon_time *
lsmpmon_span_time(const struct lsmpmon_span *span, u64 now,
		  struct lsmpmon_time *time)
{
	if (unlikely(lsmpmon_went_back(now - span->begin)))
		return &lsmpmon_no_time;
	if (!lsmpmon_is_marked(span))
		return NULL;
	*time = (struct lsmpmon_time){
		.wall = now - span->begin,
		.disturbance = span->switched ? LSMPMON_SWITCHED :
						LSMPMON_INTERRUPTED,
	};
	lsmpmon_time_own(time, span->begin, &span->delay);
	return time;
}

/* End a hook call of any kind. */
static noinline __kprobes void
lsmpmon_end_any(struct lsmpmon_frame *frame, unsigned long offset, int rc,
		u64 now)
{
	struct lsmpmon_span *span = &frame->span;
	const u64 ticks = now - span->begin;
	const u8 flags = span->flags;
	struct lsmpmon_time storage;
	const struct lsmpmon_time *time;

	if (flags & LSMPMON_INSPECTED)
		lsmpmon_end_callbacks(frame, rc, now);
	lsmpmon_marks_pass_on(span);
	time = lsmpmon_span_time(span, now, &storage);
	if (!(flags & LSMPMON_UNSELECTED))
		lsmpmon_account(frame, offset, rc, ticks, time);
	if (flags & LSMPMON_TRACED)
		lsmpmon_trace_exit(frame, offset / LSMPMON_OFFSET(1), rc, ticks,
				   time);
}

/**
 * lsmpmon_end_unusual - end an unusual hook call
 * @offset: LSMPMON_OFFSET() of the hook
 * @now: clock when the call ended
 * @rc: return value; 0 for void hooks and for the hook's default
 * @frame: frame of the call, unlinked
 *
 * A usual call ends here, too, if it ends in a pause of records.
 *
 * Context: any, with preemption off, which ends here.
 */
noinline void lsmpmon_end_unusual(unsigned long offset, u64 now, int rc,
				  struct lsmpmon_frame *frame)
{
	preempt_enable_notrace();
	if (likely(!rc && lsmpmon_is_uneventful(&frame->span)))
		lsmpmon_record_inspected(offset, frame, now);
	else
		lsmpmon_end_any(frame, offset, rc, now);
}

NOKPROBE_SYMBOL(lsmpmon_end_unusual);

/*
 * End a hook call whose span is unlinked.  The usual one takes one branch: its record,
 * which is not paused, begins here.
 */
static __always_inline void
lsmpmon_end_unlinked(unsigned long offset, u64 now, int rc,
		     struct lsmpmon_frame *frame)
{
	preempt_disable_notrace();
	if (unlikely(rc | READ_ONCE(frame->span.unusual) | lsmpmon_is_paused()))
		lsmpmon_end_unusual(offset, now, rc, frame);
	else
		lsmpmon_record_usual(offset, now - frame->span.begin);
}

/**
 * lsmpmon_end_at - end the innermost hook call at a given time
 * @offset: LSMPMON_OFFSET() of the hook
 * @now: clock when the call ended
 * @rc: return value; 0 for void hooks and for the hook's default
 *
 * The order of the arguments is that of the tail calls, so that they stay in their
 * registers.
 *
 * Context: any.
 */
void lsmpmon_end_at(unsigned long offset, u64 now, int rc)
{
	struct lsmpmon_frame *frame = lsmpmon_innermost();

	lsmpmon_span_unlink(lsmpmon_of(current), &frame->span);
	lsmpmon_end_unlinked(offset, now, rc, frame);
}

NOKPROBE_SYMBOL(lsmpmon_end_at);

/* Reject or only count a call of a hook without callbacks; false if it has to be timed. */
static __always_inline bool
lsmpmon_end_empty_early(struct lsmpmon_frame *frame, unsigned long offset)
{
	if (static_branch_unlikely(&lsmpmon_examined)) {
		if (lsmpmon_select() == LSMPMON_REJECTED)
			return true;
		if (!lsmpmon_skip_timing_selected(frame))
			return false;
	} else if (!lsmpmon_skip_timing_early(frame)) {
		return false;
	}
	lsmpmon_record_untimed(offset, 0);
	return true;
}

/**
 * lsmpmon_call_empty - measure a call of a hook without callbacks
 * @offset: LSMPMON_OFFSET() of the hook
 *
 * The arguments of the call are not needed: no object, trace event or feature examines
 * them.
 *
 * Context: any.
 */
void lsmpmon_call_empty(unsigned long offset)
{
	LSMPMON_FRAME(frame);
	struct lsmpmon_task *t;
	u64 now;

	if (static_branch_unlikely(&lsmpmon_ever_unlinked) &&
	    lsmpmon_end_empty_early(&frame, offset))
		return;
	t = lsmpmon_of(current);
	lsmpmon_begin(&frame, offset / LSMPMON_OFFSET(1));
	now = lsmpmon_clock();
	lsmpmon_span_unlink(t, &frame.span);
	lsmpmon_end_unlinked(offset, now, 0, &frame);
}

NOKPROBE_SYMBOL(lsmpmon_call_empty);
