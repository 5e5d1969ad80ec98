// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: where pairs are counted
 *
 * Users decide which pairs occur, so they may try to take all places: a child
 * that seccomp kills at a system call N calls hooks in N, for any N, and a task
 * has any name it likes.  So what a task calls while it exits or dumps core is
 * one operation, see operation.c; a pair that finds all places taken is counted
 * in the last column of its row, and one that has a place keeps it.
 */

#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "place.h"

/* By table; NULL before its first use. */
struct lsmpmon_places *lsmpmon_places[LSMPMON_PAIR_TABLES];

static size_t lsmpmon_index_length(unsigned int rows, unsigned int columns)
{
	return array_size(rows, LSMPMON_ROW(columns));
}

/**
 * lsmpmon_places_give - memory for the places of a table, unless it is there
 * @places: where it goes; what was allocated stays
 * @rows: of the table, with room for their fixed columns in LSMPMON_ALL_PLACES
 * @columns: of the table; more than those that are fixed
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_places_give(struct lsmpmon_places **places, unsigned int rows,
			unsigned int columns)
{
	struct lsmpmon_places *new;

	if (*places)
		return 0;
	new = kvzalloc(struct_size(new, of, lsmpmon_index_length(rows, columns)),
		       GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	new->rows = rows;
	new->columns = columns;
	new->taken = LSMPMON_FIXED * rows;
	/* All of it first, for readers that find it. */
	smp_store_release(places, new);
	return 0;
}

/**
 * lsmpmon_places_wipe - make all places of a table free
 * @places: of the table
 *
 * Context: process context or early boot.  Nobody may be recording.
 */
void lsmpmon_places_wipe(struct lsmpmon_places *places)
{
	places->taken = LSMPMON_FIXED * places->rows;
	memset(places->owner, 0, sizeof(places->owner));
	memset(places->of, 0,
	       array_size(lsmpmon_index_length(places->rows, places->columns),
			  sizeof(u16)));
}

/**
 * lsmpmon_places_used - how many places of a table may have counts
 * @places: of the table
 *
 * Context: process context.  Nobody may be recording.
 * Return: a number that no place in use reaches.
 */
unsigned int lsmpmon_places_used(const struct lsmpmon_places *places)
{
	unsigned int place = LSMPMON_ALL_PLACES;

	while (place > LSMPMON_FIXED * places->rows && !places->owner[place - 1])
		place--;
	return place;
}

/**
 * lsmpmon_places_size - memory that the places of a table take
 * @places: of the table
 *
 * Context: any.
 * Return: bytes.
 */
size_t lsmpmon_places_size(const struct lsmpmon_places *places)
{
	return struct_size(places, of, lsmpmon_index_length(places->rows,
							    places->columns));
}

static unsigned int lsmpmon_fixed_place(const struct lsmpmon_places *places,
					unsigned int row, unsigned int column)
{
	return row + (column - (places->columns - LSMPMON_FIXED)) * places->rows;
}

static size_t lsmpmon_pair_index(const struct lsmpmon_places *places,
				 unsigned int row, unsigned int column)
{
	return row * LSMPMON_ROW(places->columns) + column;
}

/**
 * lsmpmon_place_find - the place of a pair
 * @places: of its table
 * @row: of the pair
 * @column: of the pair
 *
 * Context: any.
 * Return: the place, or LSMPMON_NO_PLACE if the pair has none.
 */
unsigned int lsmpmon_place_find(const struct lsmpmon_places *places,
				unsigned int row, unsigned int column)
{
	const u16 *of = places->of;

	if (column >= places->columns - LSMPMON_FIXED)
		return lsmpmon_fixed_place(places, row, column);
	of += lsmpmon_pair_index(places, row, column);
	return READ_ONCE(*of) / LSMPMON_PAIR_WORDS ?: LSMPMON_NO_PLACE;
}

/*
 * Look for a free place, from @place on.  The task that took a place may have
 * been interrupted before it could publish that in @of, so each search publishes
 * the owners that it passes.  Two searches for the same pair thus find the same
 * place, and neither waits for the other.
 */
static unsigned int lsmpmon_take(struct lsmpmon_places *places, unsigned int place,
				 u32 pair)
{
	u32 owner;

	for (; place < LSMPMON_ALL_PLACES; place++) {
		owner = cmpxchg(&places->owner[place], 0, pair + 1) ?: pair + 1;
		WRITE_ONCE(places->of[owner - 1], LSMPMON_PAIR_WORDS * place);
		/* Pairs with lsmpmon_place_take(). */
		smp_store_release(&places->taken, place + 1);
		if (owner == pair + 1)
			return place;
	}
	return LSMPMON_NO_PLACE;
}

/**
 * lsmpmon_place_take - the place of a pair, which takes one if it has none
 * @places: of its table
 * @row: of the pair
 * @column: of the pair
 *
 * Context: any, NMI included; called from the hot path.
 * Return: the place: that of the row in the last column if all are taken.
 */
unsigned int lsmpmon_place_take(struct lsmpmon_places *places,
				unsigned int row, unsigned int column)
{
	/* Pairs with take(): @of tells all pairs whose place is before this. */
	const unsigned int from = smp_load_acquire(&places->taken);
	unsigned int place;

	place = lsmpmon_place_find(places, row, column);
	if (place == LSMPMON_NO_PLACE)
		place = lsmpmon_take(places, from,
				     lsmpmon_pair_index(places, row, column));
	if (place == LSMPMON_NO_PLACE)
		place = lsmpmon_fixed_place(places, row, places->columns - 1);
	return place;
}
