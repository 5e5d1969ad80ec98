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
#include "record.h"

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
