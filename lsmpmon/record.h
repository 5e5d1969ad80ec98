/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the one writer of counters
 *
 * A call is recorded when it ends, in all of its tables or in none.
 */

#ifndef _SECURITY_LSMPMON_RECORD_H
#define _SECURITY_LSMPMON_RECORD_H

#include <linux/preempt.h>

#include "cell.h"
#include "counter.h"
#include "keys.h"
#include "store.h"

/*
 * True while calls that end are not recorded.  A variable and not a static key, so
 * that one store takes effect on all CPUs at once.  See control.c.
 */
extern unsigned int lsmpmon_paused;

/**
 * lsmpmon_write_begin - mark the beginning of writes to this CPU's counters
 *
 * Context: any, preemption off.  Nests in interrupts and NMIs.
 */
static __always_inline void lsmpmon_write_begin(void)
{
	raw_cpu_inc(lsmpmon_cpu.busy);
	smp_wmb();	/* @busy before the counters, for readers */
}

/**
 * lsmpmon_write_end - mark the end of writes to this CPU's counters
 *
 * Context: as lsmpmon_write_begin().
 */
static __always_inline void lsmpmon_write_end(void)
{
	smp_wmb();	/* the counters before @busy, for readers */
	raw_cpu_dec(lsmpmon_cpu.busy);
}

/**
 * lsmpmon_write_lock - begin a record, unless records are paused
 *
 * Context: any; on success, preemption is off until lsmpmon_write_unlock().
 * Return: true on success, false while lsmpmon_paused is true.
 */
static __always_inline bool lsmpmon_write_lock(void)
{
	preempt_disable_notrace();
	/* Pairs with smp_store_release() in control.c: a reset before our counters. */
	if (unlikely(smp_load_acquire(&lsmpmon_paused))) {
		preempt_enable_notrace();
		return false;
	}
	lsmpmon_write_begin();
	return true;
}

/**
 * lsmpmon_write_unlock - end a record
 *
 * Context: any, after lsmpmon_write_lock() has succeeded.
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
 * lsmpmon_record_usual - record an undisturbed, allowed call
 * @offset: LSMPMON_OFFSET() of the hook
 * @ticks: duration of the call; invalid if the clock went back
 *
 * Function calls are tail calls, so that no register is saved for them.  If the
 * clock went back, @ticks is a new maximum, which lsmpmon_finish_extreme() rejects.
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
