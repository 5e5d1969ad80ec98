/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: counting in tables of pairs
 */

#ifndef _SECURITY_LSMPMON_PAIR_H
#define _SECURITY_LSMPMON_PAIR_H

#include <linux/build_bug.h>

#include "place.h"
#include "store.h"

static_assert(sizeof(struct lsmpmon_pair) <= LSMPMON_COPY_SIZE);

bool lsmpmon_pair_count(enum lsmpmon_by by, unsigned int row,
			unsigned int column, u64 ticks,
			const struct lsmpmon_time *time);

/**
 * lsmpmon_pair_count_known - count a call if its pair already has a place
 * @by: the table; its rows are hooks
 * @columns: number of columns of the table
 * @offset: LSMPMON_OFFSET() of the hook
 * @column: column of the pair; not a fixed column
 * @ticks: duration of the call, which was not disturbed
 *
 * Context: any, as a writer; called from the hot path.
 * Return: true if the call was counted, false if the pair has no place.
 */
static __always_inline bool
lsmpmon_pair_count_known(enum lsmpmon_by by, size_t columns,
			 unsigned long offset, u64 column, u64 ticks)
{
	const size_t row = LSMPMON_ROW(columns) * sizeof(u32);
	const u32 *of = lsmpmon_places[by]->of;
	unsigned long words;

	BUILD_BUG_ON(row % LSMPMON_OFFSET(1));
	of = (const void *)of + offset * (row / LSMPMON_OFFSET(1));
	words = READ_ONCE(of[column]);
	if (unlikely(!words))
		return false;
	lsmpmon_pair_add((void *)raw_cpu_read(lsmpmon_cpu.pair[by]) +
			 words * sizeof(u64), ticks);
	return true;
}

#endif /* _SECURITY_LSMPMON_PAIR_H */
