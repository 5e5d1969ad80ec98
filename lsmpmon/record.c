// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the one writer of counters
 *
 * This is the hot path: it takes no lock, writes no shared cache line, allocates
 * nothing and does not divide.  It is safe in task, softirq, hardirq and NMI
 * context, since each counter is updated atomically with respect to this CPU.
 */

#include <linux/kprobes.h>

#include "cell.h"
#include "clock.h"
#include "denial.h"
#include "keys.h"
#include "operation.h"
#include "pair.h"
#include "payer.h"
#include "record.h"
#include "stack.h"

unsigned int lsmpmon_paused __read_mostly = true;

static __always_inline void lsmpmon_count_bucket(unsigned long offset, u64 ticks)
{
	u64 *bucket = (void *)raw_cpu_read(lsmpmon_cpu.histogram);
	const size_t row = LSMPMON_BUCKETS / LSMPMON_OFFSET(1);

	BUILD_BUG_ON(LSMPMON_BUCKETS % LSMPMON_OFFSET(1));
	lsmpmon_add(&bucket[offset * row + lsmpmon_bucket(ticks)], 1);
}

/* Count a call in its pair if that takes no function call; false otherwise. */
static __always_inline bool
lsmpmon_pair_count_native(unsigned long offset, u64 ticks)
{
	u64 nr;

	if (unlikely(!lsmpmon_in_native_call()))
		return false;
	/* Sign extension takes no extra instruction. */
	nr = (s64)syscall_get_nr(current, task_pt_regs(current));
	if (unlikely(nr >= LSMPMON_NATIVE_CALLS))
		return false;
	return lsmpmon_pair_count_known(LSMPMON_BY_SYSCALL, LSMPMON_OPERATIONS,
					offset, nr, ticks);
}

static __always_inline void lsmpmon_payer_count(enum lsmpmon_by kind,
						unsigned long offset,
						u64 ticks, bool switched)
{
	const unsigned int column = kind == LSMPMON_BY_CGROUP ?
				    lsmpmon_cgroup_column() :
				    lsmpmon_comm_column();

	if (likely(!switched && column < LSMPMON_PAYERS) &&
	    likely(lsmpmon_pair_count_known(kind, LSMPMON_PAYER_COLUMNS,
					    offset, column, ticks)))
		return;
	if (unlikely(!lsmpmon_pair_count(kind, offset / LSMPMON_OFFSET(1),
					 column, ticks, switched)))
		lsmpmon_payer_miss(kind, column);
}

/* Count a call in the tables of payers. */
static void lsmpmon_record_payers(unsigned long offset, u64 ticks, bool switched)
{
	if (static_branch_unlikely(&lsmpmon_comm_on))
		lsmpmon_payer_count(LSMPMON_BY_COMM, offset, ticks, switched);
	if (static_branch_unlikely(&lsmpmon_cgroup_on))
		lsmpmon_payer_count(LSMPMON_BY_CGROUP, offset, ticks, switched);
}

/* Count a call in all tables of pairs whose rows are hooks. */
static void lsmpmon_record_pairs(unsigned long offset, u64 ticks, bool switched)
{
	if (static_branch_unlikely(&lsmpmon_syscall_on))
		lsmpmon_pair_count(LSMPMON_BY_SYSCALL,
				   offset / LSMPMON_OFFSET(1),
				   lsmpmon_operation(), ticks, switched);
	lsmpmon_record_payers(offset, ticks, switched);
}

/*
 * Whether the ending hook call is inside no other recorded one.  Its own span is
 * unlinked already; spans of rejected calls are linked, but not recorded.
 */
static bool lsmpmon_is_outermost(void)
{
	const struct lsmpmon_span *span = READ_ONCE(current->lsmpmon.span);

	while (span && span->flags & (LSMPMON_IGNORED | LSMPMON_UNSELECTED))
		span = span->outer;
	return !span;
}

/* Add to the current system call; nested hook calls add no time. */
static __always_inline void lsmpmon_calls_add(u64 ticks)
{
	struct lsmpmon_call *call = &current->lsmpmon.call;

	if (!in_task())
		return;
	call->hook_count++;
	if (lsmpmon_is_outermost())
		call->hook_sum += ticks;
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
		lsmpmon_calls_add(ticks);
	if (static_branch_unlikely(&lsmpmon_syscall_on))
		return likely(lsmpmon_pair_count_native(offset, ticks));
	return true;
}

static noinline __kprobes void lsmpmon_finish_pairs(unsigned long offset,
						    u64 ticks)
{
	lsmpmon_record_pairs(offset, ticks, false);
	lsmpmon_write_unlock();
}

static noinline __kprobes void lsmpmon_finish_payers(unsigned long offset,
						     u64 ticks)
{
	lsmpmon_record_payers(offset, ticks, false);
	lsmpmon_write_unlock();
}

/**
 * lsmpmon_finish_extras - record what features add, and end the record
 * @offset: LSMPMON_OFFSET() of the hook
 * @ticks: duration of the call, which had no context switch inside
 *
 * Function calls are tail calls, so that most records save no registers.
 *
 * Context: any, as a writer; ends with lsmpmon_write_unlock().
 */
void lsmpmon_finish_extras(unsigned long offset, u64 ticks)
{
	if (unlikely(!lsmpmon_record_extras(offset, ticks)))
		lsmpmon_finish_pairs(offset, ticks);
	else if (lsmpmon_has_payers())
		lsmpmon_finish_payers(offset, ticks);
	else
		lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_finish_extras);

/* Record what features add to a call without a valid duration. */
static void lsmpmon_record_switched(unsigned long offset)
{
	if (static_branch_unlikely(&lsmpmon_calls_on))
		lsmpmon_calls_add(0);
	lsmpmon_record_pairs(offset, 0, true);
}

/* Count a call in which the clock went back, and end the record. */
static noinline __kprobes void
lsmpmon_finish_backwards(unsigned long offset, struct lsmpmon_cell *cell)
{
	lsmpmon_count_backwards(cell);
	lsmpmon_record_switched(offset);
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
		lsmpmon_finish_extras(offset, ticks);
	else
		lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_finish_extreme);

/* Whether the duration of a callback is not counted. */
static bool lsmpmon_has_no_time(const struct lsmpmon_callback *callback)
{
	return callback->disturbance == LSMPMON_SWITCHED ||
	       lsmpmon_went_back(callback->ticks);
}

/* Record the callbacks of a hook call by operation. */
static noinline __kprobes void
lsmpmon_record_stacks(const struct lsmpmon_frame *frame, unsigned long offset,
		      bool switched)
{
	const unsigned int first = offset / LSMPMON_OFFSET(1) * LSMPMON_PLACES;
	const struct lsmpmon_callback *callback = frame->callback;
	const unsigned int operation = lsmpmon_operation();
	unsigned int i, row;

	for (i = 0; i < frame->callbacks; i++, callback++) {
		row = lsmpmon_stack_row(first + callback->place);
		if (unlikely(!row))
			lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.lost), 1);
		else
			lsmpmon_pair_count(LSMPMON_BY_STACK, row - 1, operation,
					   callback->ticks, switched ||
					   lsmpmon_has_no_time(callback));
	}
}

/*
 * Record the callbacks of a hook call by module.  If the hook call had a context
 * switch inside, its duration is in no sum, and neither are those of its callbacks.
 */
static void lsmpmon_record_modules(struct lsmpmon_cpu *c,
				   const struct lsmpmon_frame *frame,
				   unsigned long offset, bool switched)
{
	const unsigned long first = offset / LSMPMON_OFFSET(1) * LSMPMON_PLACES;
	const struct lsmpmon_callback *callback = frame->callback;
	unsigned int i;

	for (i = 0; i < frame->callbacks; i++, callback++)
		lsmpmon_count(c->callback[first + callback->place],
			      callback->denied, callback->ticks,
			      switched ? LSMPMON_SWITCHED :
					 callback->disturbance);
}

/* Record callbacks in the tables that exist now: features may have been switched. */
static __always_inline void
lsmpmon_record_callbacks(struct lsmpmon_cpu *c, const struct lsmpmon_frame *frame,
			 unsigned long offset, bool switched)
{
	if (static_branch_likely(&lsmpmon_module_on))
		lsmpmon_record_modules(c, frame, offset, switched);
	if (static_branch_unlikely(&lsmpmon_stack_on))
		lsmpmon_record_stacks(frame, offset, switched);
}

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
		lsmpmon_record_stacks(frame, offset, false);
}

/* Record a call of any kind in all tables. */
static void lsmpmon_record_all(const struct lsmpmon_frame *frame,
			       unsigned long offset, int rc, u64 ticks,
			       enum lsmpmon_disturbance disturbance)
{
	const bool switched = disturbance == LSMPMON_SWITCHED ||
			      lsmpmon_went_back(ticks);
	struct lsmpmon_cpu *c = raw_cpu_ptr(&lsmpmon_cpu);
	const bool denied = lsmpmon_denies(rc);

	lsmpmon_count((void *)c->cell + offset, denied, ticks, disturbance);
	if (unlikely(denied))
		lsmpmon_denial_count(c, offset / LSMPMON_OFFSET(1), rc,
				     switched);
	if (frame->span.flags & LSMPMON_INSPECTED)
		lsmpmon_record_callbacks(c, frame, offset, switched);
	if (switched)
		lsmpmon_record_switched(offset);
	else if (static_branch_unlikely(&lsmpmon_extras) &&
		 !lsmpmon_record_extras(offset, ticks))
		lsmpmon_record_pairs(offset, ticks, false);
	else
		lsmpmon_record_payers(offset, ticks, false);
}

/**
 * lsmpmon_record - record a call of any kind
 * @frame: frame of the call, unlinked
 * @offset: LSMPMON_OFFSET() of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 * @ticks: duration of the call; invalid if the clock went back
 * @disturbance: what disturbed the call
 *
 * Context: any.
 */
void lsmpmon_record(const struct lsmpmon_frame *frame, unsigned long offset,
		    int rc, u64 ticks, enum lsmpmon_disturbance disturbance)
{
	if (!lsmpmon_write_lock())
		return;
	lsmpmon_record_all(frame, offset, rc, ticks, disturbance);
	lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_record);

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
		lsmpmon_record(frame, offset, 0, ticks, LSMPMON_QUIET);
		return;
	}
	if (!lsmpmon_write_lock())
		return;
	lsmpmon_count_any((void *)raw_cpu_read(lsmpmon_cpu.cell) + offset, ticks);
	lsmpmon_count_callbacks(frame, offset, now);
	if (static_branch_unlikely(&lsmpmon_extras))
		lsmpmon_finish_extras(offset, ticks);
	else
		lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_record_inspected);

/**
 * lsmpmon_count_lost - count a callback that cannot be recorded
 *
 * Context: any.
 */
void lsmpmon_count_lost(void)
{
	if (!lsmpmon_write_lock())
		return;
	lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.lost), 1);
	lsmpmon_write_unlock();
}
