// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what features add to a record
 *
 * The rules of record.c hold here, too.
 */

#include <linux/kprobes.h>

#include "extras.h"
#include "operation.h"
#include "pair.h"
#include "rare.h"
#include "share.h"
#include "store.h"
#include "write.h"

/* Count an undisturbed call in the buckets of its hook. */
static __always_inline void lsmpmon_count_bucket(unsigned long offset, u64 ticks)
{
	const size_t counters = sizeof(struct lsmpmon_buckets) / sizeof(u64);
	u64 *count = raw_cpu_read(lsmpmon_cpu.histogram)->count;

	BUILD_BUG_ON(counters % LSMPMON_OFFSET(1));
	lsmpmon_add(&count[offset * (counters / LSMPMON_OFFSET(1)) +
			   lsmpmon_bucket(ticks)], 1);
}

/* Count a call in all tables of pairs whose rows are hooks. */
static __always_inline void
lsmpmon_record_pairs(unsigned long offset, u64 ticks,
		     const struct lsmpmon_time *time)
{
	if (static_branch_unlikely(&lsmpmon_syscall_on))
		lsmpmon_pair_count(LSMPMON_BY_SYSCALL,
				   offset / LSMPMON_OFFSET(1),
				   lsmpmon_operation(), ticks, time);
	lsmpmon_record_rare(offset, ticks, time);
}

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

/**
 * lsmpmon_account_quiet - record what features add to an undisturbed call that was denied
 * @offset: LSMPMON_OFFSET() of the hook
 * @ticks: duration of the call
 *
 * Context: any, as a writer.
 */
void lsmpmon_account_quiet(unsigned long offset, u64 ticks)
{
	if (static_branch_unlikely(&lsmpmon_histogram_on))
		lsmpmon_count_bucket(offset, ticks);
	if (static_branch_unlikely(&lsmpmon_calls_on))
		lsmpmon_calls_add(ticks, 0);
	lsmpmon_record_pairs(offset, ticks, NULL);
}

NOKPROBE_SYMBOL(lsmpmon_account_quiet);

/* Count a disturbed call in the buckets of its hook. */
static void lsmpmon_account_buckets(unsigned long offset,
				    const struct lsmpmon_time *time)
{
	struct lsmpmon_buckets *buckets =
		&raw_cpu_read(lsmpmon_cpu.histogram)[offset / LSMPMON_OFFSET(1)];
	const unsigned int wall = lsmpmon_bucket(time->wall);

	if (time->backwards)
		return;
	if (lsmpmon_is_switched(time)) {
		lsmpmon_add(&buckets->wall[wall], 1);
	} else {
		lsmpmon_add(&buckets->count[wall], 1);
		lsmpmon_add(&buckets->own[wall], -1);
	}
	if (!time->unknown)
		lsmpmon_add(&buckets->own[lsmpmon_bucket(time->own)], 1);
}

/**
 * lsmpmon_account_extras - record what features add to a disturbed call
 * @offset: LSMPMON_OFFSET() of the hook
 * @time: times of the call
 *
 * Context: any, as a writer.
 */
void lsmpmon_account_extras(unsigned long offset, const struct lsmpmon_time *time)
{
	if (static_branch_unlikely(&lsmpmon_histogram_on))
		lsmpmon_account_buckets(offset, time);
	if (static_branch_unlikely(&lsmpmon_calls_on))
		lsmpmon_account_call(time);
	lsmpmon_record_pairs(offset, time->wall, time);
}

NOKPROBE_SYMBOL(lsmpmon_account_extras);

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
