// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: recording undisturbed calls
 *
 * This is the hot path: it takes no lock, writes no shared cache line, allocates
 * nothing and does not divide.  It is safe in task, softirq, hardirq and NMI
 * context, since each counter is updated atomically with respect to this CPU.
 */

#include <linux/kprobes.h>

#include "account.h"
#include "cell.h"
#include "clock.h"
#include "keys.h"
#include "operation.h"
#include "pair.h"
#include "record.h"

/* Count a call in its pair if that takes no function call; false otherwise. */
static __always_inline bool
lsmpmon_pair_count_native(unsigned long offset, u64 ticks)
{
	struct task_struct *t = current;
	u64 nr;

	OPTIMIZER_HIDE_VAR(t);	/* loaded once */
	if (unlikely(!lsmpmon_in_native_call(t)))
		return false;
	/* Sign extension takes no extra instruction. */
	nr = (s64)syscall_get_nr(t, task_pt_regs(t));
	if (unlikely(nr >= LSMPMON_NATIVE_CALLS))
		return false;
	return lsmpmon_pair_count_known(LSMPMON_BY_SYSCALL, LSMPMON_OPERATIONS,
					offset, nr, ticks);
}

/*
 * Record what features add to an undisturbed call whose span is unlinked.  Return
 * false if lsmpmon_record_pairs() still has to count the call.
 */
static __always_inline bool lsmpmon_record_extras(unsigned long offset, u64 ticks)
{
	if (static_branch_unlikely(&lsmpmon_histogram_on))
		lsmpmon_count_bucket(offset, ticks);
	if (static_branch_unlikely(&lsmpmon_calls_on))
		lsmpmon_calls_add(ticks, 0);
	if (static_branch_unlikely(&lsmpmon_syscall_on))
		return likely(lsmpmon_pair_count_native(offset, ticks));
	return true;
}

static noinline __kprobes void lsmpmon_finish_pairs(unsigned long offset,
						    u64 ticks)
{
	lsmpmon_record_pairs(offset, ticks, NULL);
	lsmpmon_write_unlock();
}

static noinline __kprobes void lsmpmon_finish_rare(unsigned long offset, u64 ticks)
{
	lsmpmon_record_rare(offset, ticks, NULL);
	lsmpmon_write_unlock();
}

/**
 * lsmpmon_finish_extras - record what features add, and end the record
 * @offset: LSMPMON_OFFSET() of the hook
 * @ticks: duration of the call, which was not disturbed
 *
 * Function calls are tail calls, so that most records save no registers.
 *
 * Context: any, as a writer; ends with lsmpmon_write_unlock().
 */
void lsmpmon_finish_extras(unsigned long offset, u64 ticks)
{
	if (unlikely(!lsmpmon_record_extras(offset, ticks)))
		lsmpmon_finish_pairs(offset, ticks);
	else if (static_branch_unlikely(&lsmpmon_rare_extras))
		lsmpmon_finish_rare(offset, ticks);
	else
		lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_finish_extras);

/* lsmpmon_finish_extras() if `syscall` is the only feature that adds to a record. */
static __kprobes void lsmpmon_finish_syscall(unsigned long offset, u64 ticks)
{
	if (unlikely(!lsmpmon_pair_count_native(offset, ticks)))
		lsmpmon_finish_pairs(offset, ticks);
	else
		lsmpmon_write_unlock();
}

/* lsmpmon_finish_extras() if `histogram` is the only feature that adds to a record. */
static __kprobes void lsmpmon_finish_histogram(unsigned long offset, u64 ticks)
{
	lsmpmon_count_bucket(offset, ticks);
	lsmpmon_write_unlock();
}

DEFINE_STATIC_CALL(lsmpmon_finish, lsmpmon_finish_extras);

/**
 * lsmpmon_choose_finish - choose the function that records what features add
 *
 * Context: process context, may sleep, in a pause, after features were switched.
 */
void lsmpmon_choose_finish(void)
{
	const bool others = static_key_enabled(&lsmpmon_rare_extras) ||
			    static_key_enabled(&lsmpmon_calls_on);
	const bool histogram = static_key_enabled(&lsmpmon_histogram_on);
	const bool syscall = static_key_enabled(&lsmpmon_syscall_on);

	if (others || histogram == syscall)
		static_call_update(lsmpmon_finish, lsmpmon_finish_extras);
	else if (histogram)
		static_call_update(lsmpmon_finish, lsmpmon_finish_histogram);
	else
		static_call_update(lsmpmon_finish, lsmpmon_finish_syscall);
}

/* Count a call in which the clock went back, and end the record. */
static noinline __kprobes void
lsmpmon_finish_backwards(unsigned long offset, struct lsmpmon_cell *cell)
{
	lsmpmon_count_backwards(cell);
	lsmpmon_account_extras(offset, &lsmpmon_no_time);
	lsmpmon_write_unlock();
}

/**
 * lsmpmon_finish_extreme - record a call that is a new minimum or maximum
 * @offset: LSMPMON_OFFSET() of the hook
 * @cell: cell of the call
 * @ticks: duration of the call; invalid if the clock went back
 *
 * Context: any, as a writer; ends with lsmpmon_write_unlock().
 */
void lsmpmon_finish_extreme(unsigned long offset, struct lsmpmon_cell *cell,
			    u64 ticks)
{
	if (unlikely(!lsmpmon_count_quiet(cell, ticks)))
		lsmpmon_finish_backwards(offset, cell);
	else if (static_branch_unlikely(&lsmpmon_extras))
		static_call(lsmpmon_finish)(offset, ticks);
	else
		lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_finish_extreme);

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
