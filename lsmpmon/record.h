/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the one writer of counters
 *
 * A call is recorded when it ends: whole or not at all.
 */

#ifndef _SECURITY_LSMPMON_RECORD_H
#define _SECURITY_LSMPMON_RECORD_H

#include <linux/preempt.h>

#include "cell.h"
#include "counter.h"
#include "keys.h"
#include "store.h"

/*
 * Not zero while calls that end are not recorded.  This is a variable and not a
 * static key, so that one store takes effect on all CPUs.  See control.c.
 */
extern unsigned int lsmpmon_paused;

/**
 * lsmpmon_write_begin - become a writer of this CPU
 *
 * Context: any, preemption off.  A writer may be interrupted by another one.
 */
static __always_inline void lsmpmon_write_begin(void)
{
	raw_cpu_inc(lsmpmon_cpu.busy);
	smp_wmb();	/* @busy before the counters, for readers */
}

/**
 * lsmpmon_write_end - cease to be one
 *
 * Context: as lsmpmon_write_begin().
 */
static __always_inline void lsmpmon_write_end(void)
{
	smp_wmb();	/* the counters before @busy, for readers */
	raw_cpu_dec(lsmpmon_cpu.busy);
}

/**
 * lsmpmon_write_lock - become a writer of this CPU, if anything is recorded
 *
 * Context: any; on success preemption is off until lsmpmon_write_unlock().
 * Return: false while nothing is recorded.
 */
static __always_inline bool lsmpmon_write_lock(void)
{
	preempt_disable_notrace();
	/* Before the counters, for resets. */
	if (unlikely(smp_load_acquire(&lsmpmon_paused))) {
		preempt_enable_notrace();
		return false;
	}
	lsmpmon_write_begin();
	return true;
}

/**
 * lsmpmon_write_unlock - cease to be one
 *
 * Context: as lsmpmon_write_lock() left it.
 */
static __always_inline void lsmpmon_write_unlock(void)
{
	lsmpmon_write_end();
	preempt_enable_notrace();
}

void lsmpmon_finish_extreme(unsigned long offset, struct lsmpmon_cell *cell,
			    u64 ticks);
void lsmpmon_finish_extras(unsigned long offset, u64 ticks);
void lsmpmon_record_inspected(unsigned long offset, struct lsmpmon_frame *frame,
			      u64 now);
void lsmpmon_record(const struct lsmpmon_frame *frame, unsigned long offset,
		    int rc, u64 ticks, enum lsmpmon_disturbance disturbance);
void lsmpmon_count_lost(void);

/**
 * lsmpmon_record_usual - record an undisturbed call that allows
 * @offset: which hook, as LSMPMON_OFFSET()
 * @ticks: how long it took
 *
 * Function calls come last, so that it saves no register for them.  A time in
 * which the clock went back is extreme, and is not added here.
 *
 * Context: any.
 */
static __always_inline void lsmpmon_record_usual(unsigned long offset, u64 ticks)
{
	struct lsmpmon_cell *cell;

	if (!lsmpmon_write_lock())
		return;
	cell = (void *)raw_cpu_read(lsmpmon_cpu.cell) + offset;
	if (unlikely(lsmpmon_is_extreme(cell, ticks))) {
		lsmpmon_finish_extreme(offset, cell, ticks);
		return;
	}
	lsmpmon_add(&cell->count, 1);
	lsmpmon_add(&cell->sum, ticks);
	if (static_branch_unlikely(&lsmpmon_extras))
		lsmpmon_finish_extras(offset, ticks);
	else
		lsmpmon_write_unlock();
}

#endif /* _SECURITY_LSMPMON_RECORD_H */
