/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: spans, from clock read to clock read
 *
 * The beginning of a hook call and the clock read at its end are inlined into each
 * lsmpmon_call_HOOK().  The rest is in span.c, and for calls in detail in detail.c.  The
 * clock is read last at the beginning and first at the end, to keep the monitor itself
 * out of the span.
 */

#ifndef _SECURITY_LSMPMON_SPAN_H
#define _SECURITY_LSMPMON_SPAN_H

#include <linux/lsmpmon_task.h>
#include <linux/sched.h>

#include "clock.h"
#include "frame.h"
#include "record.h"
#include "untimed.h"

/* Make a span the innermost of the task.  The caller has set @unusual. */
static __always_inline void lsmpmon_span_link(struct lsmpmon_span *span)
{
	struct lsmpmon_task *t = lsmpmon_of(current);

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

/* Unlink the innermost span of the current task, whose state is @t; it is @span. */
static __always_inline void lsmpmon_span_unlink(struct lsmpmon_task *t,
						const struct lsmpmon_span *span)
{
	WRITE_ONCE(t->span, span->outer);
	barrier();	/* a later interrupt marks the outer span */
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

void lsmpmon_end_unusual(unsigned long offset, u64 now, int rc,
			 struct lsmpmon_frame *frame);
void lsmpmon_end_at(unsigned long offset, u64 now, int rc);
void __no_stack_protector lsmpmon_call_empty(unsigned long offset);

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

	lsmpmon_end_at(offset, now, rc);
}

/**
 * lsmpmon_end_dispatch - end a hook call, timed or not
 * @frame: frame of the call; the innermost span if it is linked
 * @offset: LSMPMON_OFFSET() of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 *
 * Context: as lsmpmon_end().
 */
static __always_inline void
lsmpmon_end_dispatch(const struct lsmpmon_frame *frame, unsigned long offset,
		     int rc)
{
	if (!static_branch_unlikely(&lsmpmon_ever_unlinked) ||
	    likely(!frame->span.unlinked))
		lsmpmon_end(offset, rc);
	else if (frame->span.unlinked == LSMPMON_UNTIMED)
		lsmpmon_record_untimed(offset, rc);
}

#endif /* _SECURITY_LSMPMON_SPAN_H */
