// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: counting an interrupted call
 *
 * Out of line, since few calls are interrupted.
 */

#include <linux/kprobes.h>

#include "cell.h"

/**
 * lsmpmon_count_interrupted - count an interrupted call
 * @cell: cell of the call
 * @ticks: duration of the call, interrupts included
 *
 * Context: any, as a writer.
 */
void lsmpmon_count_interrupted(struct lsmpmon_cell *cell, u64 ticks)
{
	lsmpmon_add(&cell->count, 1);
	lsmpmon_add(&cell->sum, ticks);
	lsmpmon_lower(&cell->min, ticks);
	lsmpmon_add(&cell->irq_count, 1);
	lsmpmon_add(&cell->irq_sum, ticks);
	lsmpmon_raise(&cell->irq_max, ticks);
}

NOKPROBE_SYMBOL(lsmpmon_count_interrupted);
