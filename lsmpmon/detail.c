// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the beginnings of calls in detail
 *
 * On the detailed path, a call is filtered or traced, its callbacks are measured, or
 * timing is skipped for some calls.
 */

#include <linux/kprobes.h>

#include "detail.h"
#include "disturbance.h"
#include "keys.h"
#include "select.h"
#include "span.h"
#include "timed.h"
#include "trace.h"

/* Value of @unusual in a span that only has flags. */
static __always_inline u32 lsmpmon_flagged(u8 flags)
{
	const struct lsmpmon_span span = { .flags = flags };

	return span.unusual;
}

/*
 * Begin a hook call; @unusual is from lsmpmon_flagged(), whose argument is constant, so
 * that it takes one store.
 */
static __always_inline void lsmpmon_begin_flagged(struct lsmpmon_frame *frame,
						  u32 unusual)
{
	frame->span.unusual = unusual;
	frame->callbacks = 0;
	frame->ended = false;
	frame->interrupted = false;
	frame->switched = false;
	frame->parts = 0;
	lsmpmon_span_open(&frame->span);
}

static noinline __kprobes void
lsmpmon_begin_traced(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
		     u32 unusual)
{
	lsmpmon_trace_enter(hook);
	lsmpmon_begin_flagged(frame, unusual | lsmpmon_flagged(LSMPMON_TRACED));
	lsmpmon_mark_unknown();
}

/* Begin a hook call that no filter rejects, with further flags. */
static __always_inline void
lsmpmon_begin_selected(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
		       u8 further)
{
	const u32 unusual = lsmpmon_flagged(further) |
		(lsmpmon_inspects() ? lsmpmon_flagged(LSMPMON_INSPECTED) : 0);

	if (lsmpmon_skip_timing_selected(frame))
		return;
	frame->span.hook = hook;
	if (static_branch_unlikely(&lsmpmon_traced))
		lsmpmon_begin_traced(frame, hook, unusual);
	else
		lsmpmon_begin_flagged(frame, unusual);
}

/* Begin a hook call that the filter rejects: it is traced, but not recorded. */
static __always_inline void
lsmpmon_begin_rejected(struct lsmpmon_frame *frame, enum lsmpmon_hook hook)
{
	if (static_branch_unlikely(&lsmpmon_traced))
		lsmpmon_begin_traced(frame, hook,
				     lsmpmon_flagged(LSMPMON_UNSELECTED));
	else
		lsmpmon_leave_unlinked(frame, LSMPMON_IGNORED);
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
 * Return: LSMPMON_NEEDS_NOTHING if the call has begun; else what its arguments are
 *	needed for.
 */
enum lsmpmon_need lsmpmon_begin_detailed(struct lsmpmon_frame *frame,
					 enum lsmpmon_hook hook)
{
	if (static_branch_unlikely(&lsmpmon_examined)) {
		switch (lsmpmon_select()) {
		case LSMPMON_NEEDS_OBJECT:
			return LSMPMON_NEEDS_MATCH;
		case LSMPMON_REJECTED:
			lsmpmon_begin_rejected(frame, hook);
			return LSMPMON_NEEDS_NOTHING;
		case LSMPMON_SELECTED:
			if (static_branch_unlikely(&lsmpmon_noting))
				return LSMPMON_NEEDS_NOTE;
			break;
		}
	}
	lsmpmon_begin_selected(frame, hook, 0);
	return LSMPMON_NEEDS_NOTHING;
}

NOKPROBE_SYMBOL(lsmpmon_begin_detailed);

/**
 * lsmpmon_begin_decided - begin a hook call whose object was compared
 * @frame: as for lsmpmon_begin_detailed()
 * @hook: number of the hook
 * @selected: whether the filter selects the object
 *
 * Context: any, after lsmpmon_begin_detailed() has not begun the call.
 */
void lsmpmon_begin_decided(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			   bool selected)
{
	if (selected)
		lsmpmon_begin_selected(frame, hook, 0);
	else
		lsmpmon_begin_rejected(frame, hook);
}

NOKPROBE_SYMBOL(lsmpmon_begin_decided);

/**
 * lsmpmon_begin_noted - begin a hook call whose object is noted, if it is selected
 * @frame: as for lsmpmon_begin_detailed(), with the object
 * @hook: number of the hook
 * @selected: whether the filter selects the object, if it has one
 *
 * Context: as lsmpmon_begin_decided().
 */
void lsmpmon_begin_noted(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			 bool selected)
{
	if (selected)
		lsmpmon_begin_selected(frame, hook, LSMPMON_NOTED);
	else
		lsmpmon_begin_rejected(frame, hook);
}

NOKPROBE_SYMBOL(lsmpmon_begin_noted);

/**
 * lsmpmon_begin_undecided - begin a hook call whose object is not known yet
 * @frame: as for lsmpmon_begin_detailed()
 * @hook: number of the hook
 * @need: what the arguments are needed for
 *
 * lsmpmon_loop_decide() follows when the object is known.  A call without one is
 * recorded if the filter has no object.
 *
 * Context: as lsmpmon_begin_decided().
 */
void lsmpmon_begin_undecided(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			     enum lsmpmon_need need)
{
	const u32 unusual = lsmpmon_flagged(LSMPMON_UNSELECTED |
					    LSMPMON_UNDECIDED);

	frame->noted = (struct lsmpmon_noted){ };
	if (need == LSMPMON_NEEDS_NOTE)
		lsmpmon_begin_selected(frame, hook,
				       LSMPMON_NOTED | LSMPMON_UNDECIDED);
	else if (static_branch_unlikely(&lsmpmon_traced))
		lsmpmon_begin_traced(frame, hook, unusual);
	else
		lsmpmon_begin_flagged(frame, unusual);
}

NOKPROBE_SYMBOL(lsmpmon_begin_undecided);

/**
 * lsmpmon_loop_decide - apply the filter and note the object when it becomes known
 * @frame: frame of the call, which is LSMPMON_UNDECIDED
 * @selected: whether the filter selects the object; only of calls LSMPMON_UNSELECTED
 * @noted: object of the call
 *
 * The time of the call begins here if the filter selects it, to exclude the filter.  A
 * disturbance before this is still charged to the call.
 *
 * Context: any.
 */
void lsmpmon_loop_decide(struct lsmpmon_frame *frame, bool selected,
			 struct lsmpmon_noted noted)
{
	struct lsmpmon_span *span = &frame->span;

	span->flags &= ~LSMPMON_UNDECIDED;
	frame->noted = noted;
	if (!selected)
		return;
	span->flags &= ~LSMPMON_UNSELECTED;
	if (static_branch_unlikely(&lsmpmon_noting))
		span->flags |= LSMPMON_NOTED;
	if (lsmpmon_inspects())
		span->flags |= LSMPMON_INSPECTED;
	span->begin = lsmpmon_clock();
}

NOKPROBE_SYMBOL(lsmpmon_loop_decide);
