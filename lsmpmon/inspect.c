// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: recording calls with measured callbacks
 *
 * The rules of record.c hold here, too.
 */

#include <linux/kprobes.h>

#include "cell.h"
#include "clock.h"
#include "extras.h"
#include "inspect.h"
#include "parts.h"
#include "record.h"
#include "write.h"

/* In this file, so that the compiler knows which registers it preserves. */
static noinline __kprobes void lsmpmon_count_extreme(struct lsmpmon_cell *cell,
						     u64 ticks)
{
	if (!lsmpmon_count_quiet(cell, ticks))
		lsmpmon_count_backwards(cell);
}

/* Count an undisturbed call, even if the clock went back. */
static __always_inline void lsmpmon_count_any(struct lsmpmon_cell *cell, u64 ticks)
{
	if (unlikely(lsmpmon_is_extreme(cell, ticks))) {
		lsmpmon_count_extreme(cell, ticks);
		return;
	}
	lsmpmon_add(&cell->count, 1);
	lsmpmon_add(&cell->sum, ticks);
}

/* Count callbacks, none of which denied or was disturbed. */
static __always_inline void
lsmpmon_count_modules(const struct lsmpmon_frame *frame, unsigned long offset)
{
	const struct lsmpmon_callback *callback =
		&frame->callback[frame->callbacks];
	void *cells = raw_cpu_read(lsmpmon_cpu.callback);
	unsigned long place;

	cells += offset * LSMPMON_PLACES;
	OPTIMIZER_HIDE_VAR(cells);	/* added once */
	do {
		callback--;
		place = callback->place;
		lsmpmon_count_any(cells + LSMPMON_OFFSET(place),
				  callback->ticks);
	} while (callback > frame->callback);
}

/* Count undisturbed callbacks in the tables that exist; the last one ends @now. */
static __always_inline void
lsmpmon_count_callbacks(struct lsmpmon_frame *frame, unsigned long offset, u64 now)
{
	struct lsmpmon_callback *callback = &frame->callback[frame->callbacks];

	if (callback == frame->callback)
		return;
	callback[-1].ticks = now - callback[-1].ticks;
	/* Features may have been switched since the call began. */
	if (static_branch_likely(&lsmpmon_module_on))
		lsmpmon_count_modules(frame, offset);
	if (static_branch_unlikely(&lsmpmon_stack_on))
		lsmpmon_record_stacks(frame, offset, NULL);
}

/**
 * lsmpmon_record_inspected - record an undisturbed, allowed call and its callbacks
 * @offset: LSMPMON_OFFSET() of the hook
 * @frame: frame of the call, unlinked; not LSMPMON_EVENTFUL
 * @now: clock when the call ended
 *
 * Context: any.
 */
void lsmpmon_record_inspected(unsigned long offset, struct lsmpmon_frame *frame,
			      u64 now)
{
	const u64 ticks = now - frame->span.begin;

	if (unlikely(lsmpmon_went_back(ticks))) {
		lsmpmon_account(frame, offset, 0, ticks, &lsmpmon_no_time);
		return;
	}
	if (!lsmpmon_write_lock())
		return;
	lsmpmon_count_any((void *)raw_cpu_read(lsmpmon_cpu.cell) + offset, ticks);
	lsmpmon_count_callbacks(frame, offset, now);
	if (static_branch_unlikely(&lsmpmon_extras))
		static_call(lsmpmon_finish)(offset, ticks);
	else
		lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_record_inspected);
