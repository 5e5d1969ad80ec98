/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: spans, from clock read to clock read
 *
 * The beginning of a hook call and the clock read at its end are inlined into each
 * lsmpmon_call_HOOK().  The rest is in span.c.  The clock is read last at the
 * beginning and first at the end, to keep the monitor itself out of the span.
 */

#ifndef _SECURITY_LSMPMON_SPAN_H
#define _SECURITY_LSMPMON_SPAN_H

#include <linux/sched.h>

#include "clock.h"
#include "frame.h"
#include "record.h"
#include "untimed.h"

/* Make a span the innermost of the task.  The caller has set @unusual. */
static __always_inline void lsmpmon_span_link(struct lsmpmon_span *span)
{
	struct lsmpmon_task *t = &current->lsmpmon;

	span->outer = READ_ONCE(t->span);
	barrier();	/* complete before an interrupt can find it */
	WRITE_ONCE(t->span, span);
}

/* Link a span and start its time. */
static __always_inline void lsmpmon_span_open(struct lsmpmon_span *span)
{
	lsmpmon_span_link(span);
	span->begin = lsmpmon_clock();
}

/* Unlink the innermost span of the current task. */
static __always_inline struct lsmpmon_frame *lsmpmon_span_unlink(void)
{
	struct lsmpmon_frame *frame = lsmpmon_innermost();

	WRITE_ONCE(current->lsmpmon.span, frame->span.outer);
	barrier();	/* a later interrupt marks the outer span */
	return frame;
}

/**
 * lsmpmon_begin - begin a usual hook call
 * @frame: frame of the call, on the stack of the function that dispatches it
 * @hook: number of the hook
 *
 * Context: any.
 */
static __always_inline void lsmpmon_begin(struct lsmpmon_frame *frame,
					  enum lsmpmon_hook hook)
{
	frame->span.hook = hook;
	frame->span.unusual = 0;
	lsmpmon_span_open(&frame->span);
}

void lsmpmon_end_unusual(unsigned long offset, int rc, u64 now,
			 struct lsmpmon_frame *frame);
void lsmpmon_end_at(unsigned long offset, int rc, u64 now);

/**
 * lsmpmon_end - end the innermost hook call
 * @offset: LSMPMON_OFFSET() of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 *
 * Context: any; the context in which the call began.
 */
static __always_inline void lsmpmon_end(unsigned long offset, int rc)
{
	const u64 now = lsmpmon_clock();

	lsmpmon_end_at(offset, rc, now);
}

/**
 * lsmpmon_end_dispatch - end a hook call, timed or untimed
 * @frame: frame of the call; the innermost span if the call is timed
 * @offset: LSMPMON_OFFSET() of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 *
 * Context: as lsmpmon_end().
 */
static __always_inline void
lsmpmon_end_dispatch(const struct lsmpmon_frame *frame, unsigned long offset,
		     int rc)
{
	if (static_branch_unlikely(&lsmpmon_ever_sampling) &&
	    unlikely(frame->span.untimed))
		lsmpmon_record_untimed(offset, rc);
	else
		lsmpmon_end(offset, rc);
}

#endif /* _SECURITY_LSMPMON_SPAN_H */
