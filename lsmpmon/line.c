// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: a line of a table of pairs
 *
 * All tables of pairs read and show these in the same way.
 */

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "line.h"

/**
 * lsmpmon_pair_is_empty - whether no call was counted
 * @pair: where; its CPU may be writing it
 *
 * Context: any.
 * Return: true if it is so.
 */
bool lsmpmon_pair_is_empty(const struct lsmpmon_pair *pair)
{
	return !READ_ONCE(pair->count) && !READ_ONCE(pair->cs_count);
}

/* Add what one CPU has counted. */
static void lsmpmon_pair_read_cpu(const struct lsmpmon_cpu *c,
				  const struct lsmpmon_pair *pair,
				  struct lsmpmon_pair *total)
{
	struct lsmpmon_pair copy;

	if (lsmpmon_pair_is_empty(pair))
		return;
	lsmpmon_copy(c, pair, &copy, sizeof(copy));
	total->count += copy.count;
	total->sum += copy.sum;
	total->min = min(total->min, copy.min);
	total->max = max(total->max, copy.max);
	total->cs_count += copy.cs_count;
}

/**
 * lsmpmon_pair_read - what all CPUs know of a pair
 * @by: the table
 * @row: of the pair
 * @column: of the pair
 * @total: where it goes; nothing, if the table was never used
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 */
void lsmpmon_pair_read(enum lsmpmon_by by, unsigned int row,
		       unsigned int column, struct lsmpmon_pair *total)
{
	const struct lsmpmon_places *places;
	unsigned int place = LSMPMON_NO_PLACE;
	int cpu;

	*total = (struct lsmpmon_pair){ .min = U64_MAX };
	lsmpmon_store_hold();
	places = READ_ONCE(lsmpmon_places[by]);
	if (places)
		place = lsmpmon_place_find(places, row, column);
	for_each_possible_cpu(cpu) {
		const struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);

		if (place == LSMPMON_NO_PLACE)
			break;
		if (READ_ONCE(c->pair[by]))
			lsmpmon_pair_read_cpu(c, &c->pair[by][place], total);
		cond_resched();
	}
	lsmpmon_store_release();
}

/**
 * lsmpmon_pair_head - the names of the columns of lsmpmon_pair_show()
 * @m: the file
 */
void lsmpmon_pair_head(struct seq_file *m)
{
	seq_printf(m, " %8s %10s %8s %10s %8s %14s\n", "min", "max", "ave",
		   "count", "cs_count", "sum");
}

/**
 * lsmpmon_pair_show - the rest of a line, after what the pair is of
 * @m: the file
 * @pair: not empty
 */
void lsmpmon_pair_show(struct seq_file *m, const struct lsmpmon_pair *pair)
{
	seq_printf(m, " %8llu %10llu %8llu %10llu %8llu %14llu\n",
		   pair->count ? pair->min : 0, pair->max,
		   pair->count ? div64_u64(pair->sum, pair->count) : 0,
		   pair->count, pair->cs_count, pair->sum);
}
