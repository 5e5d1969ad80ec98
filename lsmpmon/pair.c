// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: counting in tables of pairs
 */

#include <linux/kprobes.h>

#include "pair.h"

/**
 * lsmpmon_pair_count - count a call in a pair, and assign the pair a place
 * @by: the table
 * @row: row of the pair
 * @column: column of the pair
 * @ticks: duration of the call, in ticks of the clock
 * @time: times of the call if it was disturbed, else NULL
 *
 * Context: any, as a writer; called from the hot path.
 * Return: false if no place was free: the call is counted in the last column.
 */
bool lsmpmon_pair_count(enum lsmpmon_by by, unsigned int row,
			unsigned int column, u64 ticks,
			const struct lsmpmon_time *time)
{
	struct lsmpmon_pair *pair = raw_cpu_read(lsmpmon_cpu.pair[by]);
	struct lsmpmon_places *places = lsmpmon_places[by];
	const unsigned int place = lsmpmon_place_take(places, row, column);

	pair += place;
	if (unlikely(lsmpmon_is_switched(time)))
		lsmpmon_add(&pair->cs_count, 1);
	else
		lsmpmon_pair_add(pair, ticks);
	if (unlikely(time))
		lsmpmon_times_count(&pair->times, time);
	return place >= LSMPMON_FIXED * places->rows ||
	       column >= places->columns - LSMPMON_FIXED;
}

NOKPROBE_SYMBOL(lsmpmon_pair_count);
