// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: counters of the times of disturbed calls
 */

#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>

#include "counter.h"
#include "time.h"
#include "times.h"

/**
 * lsmpmon_times_count - count the times of a disturbed call
 * @times: counters of this CPU
 * @time: times of the call
 *
 * Context: any, as a writer.
 */
void lsmpmon_times_count(struct lsmpmon_times *times,
			 const struct lsmpmon_time *time)
{
	if (time->unknown)
		lsmpmon_add(&times->unknown, 1);
	if (time->disturbance != LSMPMON_SWITCHED) {
		lsmpmon_add(&times->irq_time, time->wall - time->own);
		return;
	}
	lsmpmon_add(&times->cs_sum, time->wall);
	lsmpmon_add(&times->cs_own, time->own);
	lsmpmon_raise(&times->cs_max, time->wall);
	lsmpmon_add(&times->slept, time->slept);
	lsmpmon_add(&times->preempted, time->preempted);
}

NOKPROBE_SYMBOL(lsmpmon_times_count);

/**
 * lsmpmon_times_add - add times to others
 * @total: the sum
 * @times: the times to add
 *
 * Context: any; nobody else may be writing to either.
 */
void lsmpmon_times_add(struct lsmpmon_times *total,
		       const struct lsmpmon_times *times)
{
	total->irq_time += times->irq_time;
	total->cs_sum += times->cs_sum;
	total->cs_own += times->cs_own;
	total->cs_max = max(total->cs_max, times->cs_max);
	total->slept += times->slept;
	total->preempted += times->preempted;
	total->unknown += times->unknown;
}

/**
 * lsmpmon_times_head - print the names of the columns of lsmpmon_times_show()
 * @m: the file, within a line
 *
 * Context: process context.
 */
void lsmpmon_times_head(struct seq_file *m)
{
	seq_printf(m, " %10s %14s %14s %12s %14s %14s %8s", "irq_time", "cs_sum",
		   "cs_own", "cs_max", "slept", "preempted", "unknown");
}

/**
 * lsmpmon_times_show - print the times of disturbed calls
 * @m: the file, within a line
 * @times: the times
 *
 * Context: process context.
 */
void lsmpmon_times_show(struct seq_file *m, const struct lsmpmon_times *times)
{
	seq_printf(m, " %10llu %14llu %14llu %12llu %14llu %14llu %8llu",
		   times->irq_time, times->cs_sum, times->cs_own, times->cs_max,
		   times->slept, times->preempted, times->unknown);
}
