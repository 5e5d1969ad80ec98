/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: counting a call in a cell
 */

#ifndef _SECURITY_LSMPMON_CELL_H
#define _SECURITY_LSMPMON_CELL_H

#include <linux/errno.h>

#include "clock.h"
#include "counter.h"
#include "store.h"

void lsmpmon_count_disturbed(struct lsmpmon_cell *cell,
			     const struct lsmpmon_time *time);

/**
 * lsmpmon_denies - test whether the return value of a hook is a denial
 * @rc: return value; 0 for the hook's default
 *
 * -ECHILD is not a denial: a module returns it if it would have to sleep in
 * an RCU path walk, and the kernel then retries in a walk that may sleep.
 *
 * Context: any.
 * Return: true for a denial.
 */
static __always_inline bool lsmpmon_denies(int rc)
{
	return rc < 0 && rc != -ECHILD;
}

/* Whether a call may be a new minimum or maximum. */
static __always_inline bool lsmpmon_is_extreme(const struct lsmpmon_cell *cell,
					       u64 ticks)
{
	/* Race with an interrupting writer: lsmpmon_extreme() compares again. */
	return data_race(ticks < cell->min || ticks > cell->quiet_max);
}

/**
 * lsmpmon_extreme - update the minimum and maximum of undisturbed calls
 * @cell: cell of the call
 * @ticks: duration of the call; invalid if the clock went back
 *
 * Context: any, as a writer.
 * Return: false if the clock went back, and then nothing has changed.
 */
static __always_inline bool lsmpmon_extreme(struct lsmpmon_cell *cell, u64 ticks)
{
	if (lsmpmon_went_back(ticks))
		return false;
	lsmpmon_lower(&cell->min, ticks);
	lsmpmon_raise(&cell->quiet_max, ticks);
	return true;
}

/**
 * lsmpmon_count_backwards - count a call in which the clock went back
 * @cell: cell of the call, which counts in @cs_count, without a duration
 *
 * As lsmpmon_count_disturbed() of lsmpmon_no_time, without a function call.
 *
 * Context: any, as a writer.
 */
static __always_inline void lsmpmon_count_backwards(struct lsmpmon_cell *cell)
{
	lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.backwards), 1);
	lsmpmon_add(&cell->cs_count, 1);
	lsmpmon_add(&cell->times.unknown, 1);
}

/**
 * lsmpmon_count_quiet - count an undisturbed call
 * @cell: cell of the call
 * @ticks: duration of the call; invalid if the clock went back
 *
 * Context: any, as a writer.
 * Return: false if the clock went back, and then nothing is counted.
 */
static __always_inline bool lsmpmon_count_quiet(struct lsmpmon_cell *cell,
						u64 ticks)
{
	if (unlikely(lsmpmon_is_extreme(cell, ticks)) &&
	    unlikely(!lsmpmon_extreme(cell, ticks)))
		return false;
	lsmpmon_add(&cell->count, 1);
	lsmpmon_add(&cell->sum, ticks);
	return true;
}

/**
 * lsmpmon_count - count a call of any kind
 * @cell: cells of the hook, by verdict
 * @denied: whether the verdict is `deny`
 * @ticks: duration of the call; invalid if the clock went back
 * @time: times of the call if it was disturbed, else NULL
 *
 * Context: any, as a writer.
 */
static __always_inline void
lsmpmon_count(struct lsmpmon_cell *cell, bool denied, u64 ticks,
	      const struct lsmpmon_time *time)
{
	if (unlikely(denied))
		cell += LSMPMON_DENY - LSMPMON_ALLOW;
	if (unlikely(time))
		lsmpmon_count_disturbed(cell, time);
	else if (unlikely(!lsmpmon_count_quiet(cell, ticks)))
		lsmpmon_count_backwards(cell);
}

#endif /* _SECURITY_LSMPMON_CELL_H */
