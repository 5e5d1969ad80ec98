/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: writing to the counters of this CPU
 */

#ifndef _SECURITY_LSMPMON_WRITE_H
#define _SECURITY_LSMPMON_WRITE_H

#include <linux/preempt.h>

#include "counter.h"
#include "store.h"

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
 * lsmpmon_is_paused - test whether records are paused
 *
 * Context: any, preemption off: the answer is valid until preemption is on again.
 * Return: nonzero while records are paused.
 */
static __always_inline unsigned int lsmpmon_is_paused(void)
{
	/* Pairs with smp_store_release() in control.c: a reset before our counters. */
	return smp_load_acquire(&lsmpmon_paused);
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
	if (unlikely(lsmpmon_is_paused())) {
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

#endif /* _SECURITY_LSMPMON_WRITE_H */
