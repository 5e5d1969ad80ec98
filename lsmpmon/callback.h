/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: callbacks of a hook call in progress
 */

#ifndef _SECURITY_LSMPMON_CALLBACK_H
#define _SECURITY_LSMPMON_CALLBACK_H

#include <linux/build_bug.h>
#include <linux/limits.h>
#include <linux/lsmpmon_hooks.h>

/* Widths of the members of callbacks. */
static_assert(LSMPMON_PLACES <= U16_MAX);
static_assert(LSMPMON_PARTS <= U8_MAX);

/* Whether measured callbacks are all that makes a call unusual. */
static __always_inline bool
lsmpmon_is_uneventful(const struct lsmpmon_span *span)
{
	static const struct lsmpmon_span inspected = {
		.flags = LSMPMON_INSPECTED,
	};

	return READ_ONCE(span->unusual) == inspected.unusual;
}

/* Whether a callback is in progress, in a call with LSMPMON_INSPECTED. */
static __always_inline bool
lsmpmon_callback_is_under_way(const struct lsmpmon_frame *frame)
{
	return frame->callbacks && !frame->ended;
}

/* Place of the callback in progress plus one; 0 if none is, or none is measured. */
static __always_inline unsigned int
lsmpmon_place_under_way(const struct lsmpmon_span *span)
{
	const struct lsmpmon_frame *frame =
		container_of(span, struct lsmpmon_frame, span);

	if (!(span->flags & LSMPMON_INSPECTED) || !lsmpmon_callback_is_under_way(frame))
		return 0;
	return frame->callback[frame->callbacks - 1].place + 1;
}

void lsmpmon_end_callbacks(struct lsmpmon_frame *frame, int rc, u64 now);

#endif /* _SECURITY_LSMPMON_CALLBACK_H */
