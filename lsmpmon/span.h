/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: spans, from clock read to clock read
 *
 * The beginning of a hook call and the clock read at its end are inline in each
 * lsmpmon_call_HOOK().  The rest is in span.c, once for all hooks.  The clock is
 * read last at the beginning and first at the end, so that a span contains as
 * little of the monitor as possible.
 */

#ifndef _SECURITY_LSMPMON_SPAN_H
#define _SECURITY_LSMPMON_SPAN_H

#include <linux/sched.h>

#include "clock.h"
#include "record.h"
#include "untimed.h"

/* The caller has set @unusual. */
static __always_inline void lsmpmon_span_link(struct lsmpmon_span *span)
{
	struct lsmpmon_task *t = &current->lsmpmon;

	span->outer = READ_ONCE(t->span);
	barrier();	/* whole, before an interrupt finds it */
	WRITE_ONCE(t->span, span);
}

static __always_inline void lsmpmon_span_open(struct lsmpmon_span *span)
{
	lsmpmon_span_link(span);
	span->begin = lsmpmon_clock();
}

/* The frame of the innermost open span of the current task. */
static __always_inline struct lsmpmon_frame *lsmpmon_innermost(void)
{
	return container_of(READ_ONCE(current->lsmpmon.span),
			    struct lsmpmon_frame, span);
}

static __always_inline struct lsmpmon_frame *lsmpmon_span_unlink(void)
{
	struct lsmpmon_frame *frame = lsmpmon_innermost();

	WRITE_ONCE(current->lsmpmon.span, frame->span.outer);
	barrier();	/* an interrupt from here on marks the next one */
	return frame;
}

/**
 * lsmpmon_begin - begin a hook call that is only counted
 * @frame: on the stack of the function that dispatches it
 *
 * Context: any.
 */
static __always_inline void lsmpmon_begin(struct lsmpmon_frame *frame)
{
	frame->span.unusual = 0;
	lsmpmon_span_open(&frame->span);
}

void lsmpmon_end_unusual(unsigned long offset, int rc, u64 now,
			 struct lsmpmon_frame *frame);
void lsmpmon_end_at(unsigned long offset, int rc, u64 now);

/**
 * lsmpmon_end - end the innermost hook call
 * @offset: which hook, as LSMPMON_OFFSET()
 * @rc: what it returned; 0 for void hooks and for the hook's default
 *
 * Context: any; the same as where the call began.
 */
static __always_inline void lsmpmon_end(unsigned long offset, int rc)
{
	const u64 now = lsmpmon_clock();

	lsmpmon_end_at(offset, rc, now);
}

/**
 * lsmpmon_end_dispatch - end a hook call, which may be one that is not timed
 * @frame: the call; the innermost one unless it is not timed
 * @offset: which hook, as LSMPMON_OFFSET()
 * @rc: what it returned; 0 for void hooks and for the hook's default
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
