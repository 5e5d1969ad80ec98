// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: counting a call in a cell
 *
 * On the hot path, but seldom.
 */

#include <linux/kprobes.h>

#include "cell.h"

/**
 * lsmpmon_extreme - note the shortest and longest of undisturbed calls
 * @cell: what they are counted in
 * @ticks: how long one took
 *
 * Context: any, as a writer.
 * Return: false, and nothing is noted, if it has no time: the clock went back.
 */
bool lsmpmon_extreme(struct lsmpmon_cell *cell, u64 ticks)
{
	if (lsmpmon_went_back(ticks))
		return false;
	lsmpmon_lower(&cell->min, ticks);
	lsmpmon_raise(&cell->quiet_max, ticks);
	return true;
}

NOKPROBE_SYMBOL(lsmpmon_extreme);

/**
 * lsmpmon_count_backwards - count a call in which the clock went back
 * @cell: where: like those with a context switch inside, it has no time
 *
 * Context: any, as a writer.
 */
void lsmpmon_count_backwards(struct lsmpmon_cell *cell)
{
	lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.backwards), 1);
	lsmpmon_add(&cell->cs_count, 1);
}

NOKPROBE_SYMBOL(lsmpmon_count_backwards);

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
