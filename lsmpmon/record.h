/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: recording calls
 *
 * A call is recorded when it ends, in all of its tables or in none.
 */

#ifndef _SECURITY_LSMPMON_RECORD_H
#define _SECURITY_LSMPMON_RECORD_H

#include <linux/lsmpmon_hooks.h>

#include "cell.h"
#include "extras.h"
#include "write.h"

void lsmpmon_finish_extreme(unsigned long offset, struct lsmpmon_cell *cell,
			    u64 ticks);
void lsmpmon_account(const struct lsmpmon_frame *frame, unsigned long offset,
		     int rc, u64 ticks, const struct lsmpmon_time *time);

/**
 * lsmpmon_record_usual - record an undisturbed, allowed call
 * @offset: LSMPMON_OFFSET() of the hook
 * @ticks: duration of the call; invalid if the clock went back
 *
 * Function calls are tail calls, so that no register is saved for them.  If the
 * clock went back, @ticks is a new maximum, which lsmpmon_finish_extreme() rejects.
 *
 * Context: any, with preemption off, which ends here, and records not paused.
 */
static __always_inline void lsmpmon_record_usual(unsigned long offset, u64 ticks)
{
	struct lsmpmon_cell *cell;

	lsmpmon_write_begin();
	cell = (void *)raw_cpu_read(lsmpmon_cpu.cell) + offset;
	if (unlikely(lsmpmon_is_extreme(cell, ticks))) {
		lsmpmon_finish_extreme(offset, cell, ticks);
		return;
	}
	lsmpmon_add(&cell->count, 1);
	lsmpmon_add(&cell->sum, ticks);
	if (static_branch_unlikely(&lsmpmon_extras)) {
		static_call(lsmpmon_finish)(offset, ticks);
		return;
	}
	lsmpmon_write_unlock();
}

#endif /* _SECURITY_LSMPMON_RECORD_H */
