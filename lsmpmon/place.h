/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: where pairs are counted
 *
 * A pair is a row and a column of a table: a hook and an operation, a callback
 * and an operation, or a hook and its payer.  Few of all possible pairs are ever
 * used, but users decide which.  A pair takes a place at its first call, the same
 * on each CPU.  All CPUs share the index that has the place of each pair.
 */

#ifndef _SECURITY_LSMPMON_PLACE_H
#define _SECURITY_LSMPMON_PLACE_H

#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/types.h>

#include "counter.h"

/* The tables: those of payers, see payer.c, and of operations. */
enum lsmpmon_by {
	LSMPMON_BY_COMM,
	LSMPMON_BY_CGROUP,
	LSMPMON_PAYER_KINDS,
	LSMPMON_BY_SYSCALL = LSMPMON_PAYER_KINDS,
	LSMPMON_BY_STACK,
	LSMPMON_PAIR_TABLES,
};

/* The last columns of a table, `-` and `other`, have a place for each row. */
#define LSMPMON_FIXED		2

/**
 * struct lsmpmon_pair - what is known of one row in one column
 * @count: as in struct lsmpmon_cell, and so are the others
 * @sum: ticks
 * @min: ticks; U64_MAX before the first
 * @max: ticks, interrupted or not
 * @cs_count: calls with a context switch inside
 */
struct lsmpmon_pair {
	u64 count;
	u64 sum;
	u64 min;
	u64 max;
	u64 cs_count;
};

/* How many words a place takes; the index counts in words to save a multiplication. */
#define LSMPMON_PAIR_WORDS	(sizeof(struct lsmpmon_pair) / sizeof(u64))

/*
 * How many places a table has, including those of fixed columns: as many as fit
 * into the index.  About 1,000 are used in practice.
 */
#define LSMPMON_ALL_PLACES	(U16_MAX / LSMPMON_PAIR_WORDS)
#define LSMPMON_PAIR_SIZE	(LSMPMON_ALL_PLACES * sizeof(struct lsmpmon_pair))

/* Of a pair without a place. */
#define LSMPMON_NO_PLACE	LSMPMON_ALL_PLACES

/* Room that the index has for a row, so that a shift finds the row. */
#define LSMPMON_ROW(columns)	roundup_pow_of_two((columns) - LSMPMON_FIXED)

/* Free places, as bits. */
#define LSMPMON_PLACE_WORDS	BITS_TO_LONGS(LSMPMON_ALL_PLACES)

/**
 * struct lsmpmon_places - which pair of a table has which place
 * @rows: how many
 * @columns: how many, of which the last are fixed
 * @from: the word of @free from which a free place is looked for; a hint
 * @free: a bit for each place that no pair has.  Those of the fixed columns
 *	come first and are never free
 * @of: by row, with room for LSMPMON_ROW(), and column: the place, times
 *	LSMPMON_PAIR_WORDS; 0 for a pair without a place, which is none that a
 *	pair can take
 */
struct lsmpmon_places {
	unsigned int rows;
	unsigned int columns;
	unsigned int from;
	unsigned long free[LSMPMON_PLACE_WORDS];
	u16 of[];
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
 * lsmpmon_pair_add - add an undisturbed or interrupted call to a pair
 * @pair: which, of this CPU
 * @ticks: how long the call took
 *
 * Context: any, as the writer.
 */
static __always_inline void lsmpmon_pair_add(struct lsmpmon_pair *pair,
					     u64 ticks)
{
	lsmpmon_add(&pair->count, 1);
	lsmpmon_add(&pair->sum, ticks);
	/* Race: with what interrupts this; these look again. */
	if (unlikely(data_race(ticks < pair->min)))
		lsmpmon_lower(&pair->min, ticks);
	/* Race: as above. */
	if (unlikely(data_race(ticks > pair->max)))
		lsmpmon_raise(&pair->max, ticks);
}

#endif /* _SECURITY_LSMPMON_PLACE_H */
