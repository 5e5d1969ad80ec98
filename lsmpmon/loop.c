// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: hook calls measured in place
 *
 * These are open-coded loops over callbacks in security.c, and hooks with callbacks
 * that are called by name.  The object of such a call is known only inside the loop.
 */

#include <linux/kprobes.h>

#include "detail.h"
#include "span.h"
#include "timed.h"

/**
 * lsmpmon_loop_begin - begin a hook call that is measured in place
 * @frame: frame of the call, on the stack of the function that dispatches it
 * @hook: number of the hook
 *
 * Context: any.
 */
void lsmpmon_loop_begin(struct lsmpmon_frame *frame, enum lsmpmon_hook hook)
{
	enum lsmpmon_need need;

	frame->span.hook = hook;
	frame->verdict = 0;
	if (lsmpmon_skip_timing_early(frame))
		return;
	need = lsmpmon_begin_detailed(frame, hook);
	if (need != LSMPMON_NEEDS_NOTHING)
		lsmpmon_begin_undecided(frame, hook, need);
}

NOKPROBE_SYMBOL(lsmpmon_loop_begin);

/**
 * lsmpmon_loop_end - end a hook call that is measured in place
 * @frame: frame of the call
 *
 * The verdict is that of the last callback, since a loop may be left anywhere.  A
 * call that is still undecided has called no callback.
 *
 * Context: any.
 */
void lsmpmon_loop_end(struct lsmpmon_frame *frame)
{
	lsmpmon_end_dispatch(frame, LSMPMON_OFFSET(frame->span.hook),
			     frame->verdict);
}

NOKPROBE_SYMBOL(lsmpmon_loop_end);
