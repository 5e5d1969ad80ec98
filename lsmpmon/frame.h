/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the frames of hook calls in progress
 */

#ifndef _SECURITY_LSMPMON_FRAME_H
#define _SECURITY_LSMPMON_FRAME_H

#include <linux/build_bug.h>
#include <linux/limits.h>
#include <linux/lsmpmon_hooks.h>
#include <linux/lsmpmon_task.h>
#include <linux/sched.h>
#include <linux/stddef.h>

/* Flags are in a byte. */
static_assert(LSMPMON_NOTED <= U8_MAX);

/* @unusual is all of the bytes, and one store sets it and @hook. */
static_assert(offsetofend(struct lsmpmon_span, unlinked) ==
	      offsetofend(struct lsmpmon_span, unusual));
static_assert(offsetof(struct lsmpmon_span, unusual) ==
	      offsetofend(struct lsmpmon_span, hook));

/* Frame of the innermost open span of the current task. */
static __always_inline struct lsmpmon_frame *lsmpmon_innermost(void)
{
	return container_of(READ_ONCE(lsmpmon_of(current)->span),
			    struct lsmpmon_frame, span);
}

/**
 * lsmpmon_is_marked - test whether a span was disturbed
 * @span: the span
 *
 * Context: any.
 * Return: true if @span has a mark, so that its delay is valid.
 */
static __always_inline bool lsmpmon_is_marked(const struct lsmpmon_span *span)
{
	return READ_ONCE(span->interrupted) || READ_ONCE(span->switched);
}

/* Begin a call without linking its span: whatever happens in it belongs to the span around it. */
static __always_inline void
lsmpmon_leave_unlinked(struct lsmpmon_frame *frame, enum lsmpmon_unlinked why)
{
	frame->span.unusual = 0;
	frame->span.unlinked = why;
}

/* The innermost of the spans from @span to before @bound that is recorded; NULL if none is. */
static __always_inline const struct lsmpmon_span *
lsmpmon_recorded_span(const struct lsmpmon_span *span, const struct lsmpmon_span *bound)
{
	while (span && span != bound && span->flags & LSMPMON_UNSELECTED)
		span = span->outer;
	return span == bound ? NULL : span;
}

#endif /* _SECURITY_LSMPMON_FRAME_H */
