// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: counting a call in a cell
 *
 * On the hot path, but seldom.
 */

#include <linux/kprobes.h>

#include "cell.h"

/**
 * lsmpmon_count_interrupted - count a call that an interrupt struck
 * @cell: where
 * @ticks: how long it took
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
