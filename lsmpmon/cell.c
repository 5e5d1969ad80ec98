// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: counting a disturbed call
 *
 * Out of line, since few calls are disturbed.
 */

#include <linux/kprobes.h>

#include "cell.h"

static void lsmpmon_count_interrupted(struct lsmpmon_cell *cell, u64 ticks)
{
	lsmpmon_add(&cell->count, 1);
	lsmpmon_add(&cell->sum, ticks);
	lsmpmon_lower(&cell->min, ticks);
	lsmpmon_add(&cell->irq_count, 1);
	lsmpmon_add(&cell->irq_sum, ticks);
	lsmpmon_raise(&cell->irq_max, ticks);
}

/**
 * lsmpmon_count_disturbed - count a disturbed call
 * @cell: cell of the call
 * @time: times of the call
 *
 * Context: any, as a writer.
 */
void lsmpmon_count_disturbed(struct lsmpmon_cell *cell,
			     const struct lsmpmon_time *time)
{
	if (time->backwards)
		lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.backwards), 1);
	if (time->disturbance == LSMPMON_SWITCHED)
		lsmpmon_add(&cell->cs_count, 1);
	else
		lsmpmon_count_interrupted(cell, time->wall);
	lsmpmon_times_count(&cell->times, time);
}

NOKPROBE_SYMBOL(lsmpmon_count_disturbed);
