// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: hook calls measured where they stand
 *
 * Loops over callbacks in security.c, and hooks with callbacks that are called
 * by name.  The object is known inside only.
 */

#include <linux/kprobes.h>

#include "keys.h"
#include "span.h"

/**
 * lsmpmon_loop_begin - a hook call begins that is measured where it stands
 * @frame: on the stack of the function that dispatches it
 * @hook: which
 *
 * Context: any.
 * Return: @frame
 */
struct lsmpmon_frame *lsmpmon_loop_begin(struct lsmpmon_frame *frame,
					 enum lsmpmon_hook hook)
{
	frame->hook = hook;
	frame->verdict = 0;
	if (lsmpmon_begin_detailed(frame, hook))
		lsmpmon_begin_undecided(frame, hook);
	return frame;
}

NOKPROBE_SYMBOL(lsmpmon_loop_begin);

/**
 * lsmpmon_loop_decide - the object of such a hook call is seen
 * @frame: the call, which is LSMPMON_UNDECIDED
 * @selected: it is what the filter looks for
 *
 * Its time begins here, since looking took some.  What disturbed that counts as
 * a disturbance of the call.
 *
 * Context: any.
 */
void lsmpmon_loop_decide(struct lsmpmon_frame *frame, bool selected)
{
	struct lsmpmon_span *span = &frame->span;

	span->todo &= ~LSMPMON_UNDECIDED;
	if (!selected)
		return;
	span->todo &= ~LSMPMON_UNSELECTED;
	if (lsmpmon_inspects())
		span->todo |= LSMPMON_INSPECTED;
	span->begin = lsmpmon_clock();
}

NOKPROBE_SYMBOL(lsmpmon_loop_decide);

/**
 * lsmpmon_loop_end - such a hook call is over
 * @frame: as it began
 *
 * Its verdict is that of the callback called last, since a loop may be left
 * anywhere.  One that is undecided still has reached no module.
 *
 * Context: any.
 */
void lsmpmon_loop_end(struct lsmpmon_frame *frame)
{
	lsmpmon_end(LSMPMON_OFFSET(frame->hook), frame->verdict);
}

NOKPROBE_SYMBOL(lsmpmon_loop_end);
