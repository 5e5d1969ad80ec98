// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what features add to undisturbed calls
 *
 * The rules of record.c hold here, too.
 */

#include <linux/kprobes.h>

#include "account.h"
#include "extras.h"
#include "operation.h"
#include "pair.h"
#include "write.h"

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
