/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: places of pairs
 *
 * A pair is a row and a column of a table: a hook and an operation, a callback and
 * an operation, a hook and a payer, or a hook and what its calls are nested in.  Few
 * of all possible pairs occur.  A pair is assigned a place at its first call, the same
 * on each CPU.  All CPUs share an index that maps pairs to places.
 */

#ifndef _SECURITY_LSMPMON_PLACE_H
#define _SECURITY_LSMPMON_PLACE_H

#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/types.h>

#include "counter.h"
#include "times.h"

/* Tables of pairs: by payer, see payer.c, by operation, and by outer call. */
enum lsmpmon_by {
	LSMPMON_BY_COMM,
	LSMPMON_BY_CGROUP,
	LSMPMON_BY_TASK,
	LSMPMON_PAYER_KINDS,
	LSMPMON_BY_SYSCALL = LSMPMON_PAYER_KINDS,
	LSMPMON_BY_STACK,
	LSMPMON_BY_OUTER,
	LSMPMON_PAIR_TABLES,
};

/* Fixed columns: the last ones, `-` and `other`, have a place for each row. */
#define LSMPMON_FIXED		2

/**
 * struct lsmpmon_pair - counters of a pair
 * @count: calls without a context switch inside
 * @sum: ticks of the calls in @count
 * @min: least ticks of a call in @count; U64_MAX before the first
 * @max: most ticks of a call in @count, interrupted or not
 * @cs_count: calls with a context switch inside, or in which the clock went back
 * @times: times of disturbed calls
 */
struct lsmpmon_pair {
	u64 count;
	u64 sum;
	u64 min;
	u64 max;
	u64 cs_count;
	struct lsmpmon_times times;
};

/* Words per place.  The index counts in words, to save a multiplication. */
#define LSMPMON_PAIR_WORDS	(sizeof(struct lsmpmon_pair) / sizeof(u64))

/*
 * Number of places of a table, including those of fixed columns.  About 1,000 are
 * used in practice.
 */
#define LSMPMON_ALL_PLACES	12800U
#define LSMPMON_PAIR_SIZE	(LSMPMON_ALL_PLACES * sizeof(struct lsmpmon_pair))

/* The index has a place times words in 32 bits. */
static_assert(sizeof(struct lsmpmon_pair) % sizeof(u64) == 0);
static_assert(LSMPMON_ALL_PLACES * LSMPMON_PAIR_WORDS <= U32_MAX);

/* Place of a pair that has none. */
#define LSMPMON_NO_PLACE	LSMPMON_ALL_PLACES

/* Entries of a row in the index: a power of two, so that a shift finds the row. */
#define LSMPMON_ROW(columns)	roundup_pow_of_two((columns) - LSMPMON_FIXED)

/* Words of the bitmap of free places. */
#define LSMPMON_PLACE_WORDS	BITS_TO_LONGS(LSMPMON_ALL_PLACES)

/**
 * struct lsmpmon_places - places of the pairs of a table
 * @rows: number of rows
 * @columns: number of columns, including the fixed ones
 * @from: word of @free at which the search for a free place starts; a hint
 * @free: bitmap of free places.  Places of fixed columns come first and are never
 *	free
 * @of: index by row, LSMPMON_ROW() entries each, and column: the place times
 *	LSMPMON_PAIR_WORDS, or 0 for a pair without a place
 */
struct lsmpmon_places {
	unsigned int rows;
	unsigned int columns;
	unsigned int from;
	unsigned long free[LSMPMON_PLACE_WORDS];
	u32 of[];
};

extern struct lsmpmon_places *lsmpmon_places[LSMPMON_PAIR_TABLES];

int lsmpmon_places_alloc(struct lsmpmon_places **places, unsigned int rows,
			 unsigned int columns);
void lsmpmon_places_wipe(struct lsmpmon_places *places);
unsigned int lsmpmon_places_used(const struct lsmpmon_places *places);
size_t lsmpmon_places_size(const struct lsmpmon_places *places);
unsigned int lsmpmon_places_left(const struct lsmpmon_places *places);
bool lsmpmon_places_are_few(const struct lsmpmon_places *places);
void lsmpmon_places_rescan(struct lsmpmon_places *places);
unsigned int lsmpmon_place_take(struct lsmpmon_places *places,
				unsigned int row, unsigned int column);
void lsmpmon_place_free(struct lsmpmon_places *places, unsigned int row,
			unsigned int column);
unsigned int lsmpmon_place_find(const struct lsmpmon_places *places,
				unsigned int row, unsigned int column);

/**
 * lsmpmon_pair_add - count a call without a context switch in a pair
 * @pair: pair of this CPU
 * @ticks: duration of the call
 *
 * Context: any, as a writer.
 */
static __always_inline void lsmpmon_pair_add(struct lsmpmon_pair *pair,
					     u64 ticks)
{
	lsmpmon_add(&pair->count, 1);
	lsmpmon_add(&pair->sum, ticks);
	/* Race with an interrupting writer: lsmpmon_lower() compares again. */
	if (unlikely(data_race(ticks < pair->min)))
		lsmpmon_lower(&pair->min, ticks);
	/* Race as above. */
	if (unlikely(data_race(ticks > pair->max)))
		lsmpmon_raise(&pair->max, ticks);
}

static inline void lsmpmon_wipe_pairs(struct lsmpmon_pair *pair, size_t n)
{
	while (n--)
		*pair++ = (struct lsmpmon_pair){ .min = U64_MAX };
}

#endif /* _SECURITY_LSMPMON_PLACE_H */
