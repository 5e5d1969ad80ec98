// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: a line of a table of pairs
 *
 * All tables of pairs read and show their lines in the same way.
 */

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "line.h"
#include "payer.h"

/**
 * lsmpmon_pair_is_empty - test whether a pair has no calls
 * @pair: the pair; its CPU may be writing to it
 *
 * Context: any.
 * Return: true if no call was counted.
 */
bool lsmpmon_pair_is_empty(const struct lsmpmon_pair *pair)
{
	return !READ_ONCE(pair->count) && !READ_ONCE(pair->cs_count);
}

static void lsmpmon_pair_sum(struct lsmpmon_pair *total,
			     const struct lsmpmon_pair *pair)
{
	total->count += pair->count;
	total->sum += pair->sum;
	total->min = min(total->min, pair->min);
	total->max = max(total->max, pair->max);
	total->cs_count += pair->cs_count;
	lsmpmon_times_add(&total->times, &pair->times);
}

/* Add the counters of one CPU. */
static void lsmpmon_pair_read_cpu(struct lsmpmon_cpu *c,
				  const struct lsmpmon_pair *pair,
				  struct lsmpmon_pair *total)
{
	struct lsmpmon_pair copy;

	if (lsmpmon_pair_is_empty(pair))
		return;
	lsmpmon_copy(c, pair, &copy, sizeof(copy));
	lsmpmon_pair_sum(total, &copy);
}

/**
 * lsmpmon_pair_add_up - sum a pair over all CPUs
 * @by: the table
 * @row: row of the pair
 * @column: column of the pair
 * @total: set to the sum; empty if the table was never used
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 */
void lsmpmon_pair_add_up(enum lsmpmon_by by, unsigned int row,
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
		struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);

		if (place == LSMPMON_NO_PLACE)
			break;
		if (READ_ONCE(c->pair[by]))
			lsmpmon_pair_read_cpu(c, &c->pair[by][place], total);
		cond_resched();
	}
	lsmpmon_store_release();
}

/**
 * lsmpmon_pair_read - read a pair as it is shown
 * @by: the table
 * @row: row of the pair
 * @column: column of the pair
 * @total: set to the sum over all CPUs; in `other`, including evicted payers
 *
 * Context: as lsmpmon_pair_add_up().
 */
void lsmpmon_pair_read(enum lsmpmon_by by, unsigned int row,
		       unsigned int column, struct lsmpmon_pair *total)
{
	lsmpmon_pair_add_up(by, row, column, total);
	if (by < LSMPMON_PAYER_KINDS && lsmpmon_payers[by] &&
	    column == lsmpmon_other_payer(by))
		lsmpmon_pair_sum(total, &lsmpmon_payers[by]->evicted[row]);
}

/**
 * lsmpmon_pair_move - move the counters of a pair, and free its place
 * @by: the table
 * @row: row of the pair
 * @column: column of the pair; not fixed, and not in use by any call
 * @total: the counters of all CPUs are added to this
 *
 * Context: as lsmpmon_pair_add_up().
 */
void lsmpmon_pair_move(enum lsmpmon_by by, unsigned int row,
		       unsigned int column, struct lsmpmon_pair *total)
{
	const unsigned int place = lsmpmon_place_find(lsmpmon_places[by], row,
						      column);
	int cpu;

	if (place == LSMPMON_NO_PLACE)
		return;
	for_each_possible_cpu(cpu) {
		struct lsmpmon_pair *pair = per_cpu(lsmpmon_cpu, cpu).pair[by];

		if (!pair)
			continue;
		lsmpmon_pair_sum(total, &pair[place]);
		pair[place] = (struct lsmpmon_pair){ .min = U64_MAX };
	}
	lsmpmon_place_free(lsmpmon_places[by], row, column);
}

/**
 * lsmpmon_pair_head - print the names of the columns of lsmpmon_pair_show()
 * @m: the file, within a line
 *
 * Context: process context.
 */
void lsmpmon_pair_head(struct seq_file *m)
{
	seq_printf(m, " %8s %10s %8s %10s %8s %14s", "min", "max", "ave",
		   "count", "cs_count", "sum");
	lsmpmon_times_head(m);
}

/**
 * lsmpmon_pair_show - print the counters of a pair
 * @m: the file, within a line
 * @pair: the pair; not empty
 *
 * Context: process context.
 */
void lsmpmon_pair_show(struct seq_file *m, const struct lsmpmon_pair *pair)
{
	seq_printf(m, " %8llu %10llu %8llu %10llu %8llu %14llu",
		   pair->count ? pair->min : 0, pair->max,
		   pair->count ? div64_u64(pair->sum, pair->count) : 0,
		   pair->count, pair->cs_count, pair->sum);
	lsmpmon_times_show(m, &pair->times);
}
