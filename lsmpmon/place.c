// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: places of pairs
 *
 * Users decide which pairs occur, so they may try to use up all places: a child
 * that seccomp kills at system call N calls hooks in N, for any N, and a task can
 * have any name.  So the hook calls of an exiting task belong to one operation, see
 * operation.c, and a pair for which no place is free is counted in the last column
 * of its row.  A pair keeps its place until a reset, or until the column of its
 * payer is freed, see evict.c.
 *
 * A place is allocated by clearing its bit, and then stored in the index with
 * cmpxchg().  If another CPU or an interrupt has done the same for the same pair, the
 * cmpxchg() fails, and the place is freed again.  So no pair has two places, and
 * nobody waits.
 */

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "place.h"

/* Places, by table; NULL before the first use of the table. */
struct lsmpmon_places *lsmpmon_places[LSMPMON_PAIR_TABLES];

/* Length of the index. */
static size_t lsmpmon_index_length(unsigned int rows, unsigned int columns)
{
	return array_size(rows, LSMPMON_ROW(columns));
}

static void lsmpmon_set_all_free(struct lsmpmon_places *places)
{
	const unsigned int fixed = LSMPMON_FIXED * places->rows;

	places->from = 0;
	bitmap_zero(places->free, LSMPMON_ALL_PLACES);
	bitmap_set(places->free, fixed, LSMPMON_ALL_PLACES - fixed);
}

/**
 * lsmpmon_places_alloc - allocate the places of a table
 * @places: set to the places; left as it is unless NULL
 * @rows: number of rows; their fixed columns must fit into LSMPMON_ALL_PLACES
 * @columns: number of columns, above LSMPMON_FIXED
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_places_alloc(struct lsmpmon_places **places, unsigned int rows,
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
	lsmpmon_set_all_free(new);
	/* Initialise the places before readers can find them. */
	smp_store_release(places, new);
	return 0;
}

/**
 * lsmpmon_places_wipe - free all places of a table
 * @places: places of the table
 *
 * Context: process context or early boot.  Nobody may be recording.
 */
void lsmpmon_places_wipe(struct lsmpmon_places *places)
{
	lsmpmon_set_all_free(places);
	memset(places->of, 0,
	       array_size(lsmpmon_index_length(places->rows, places->columns),
			  sizeof(u32)));
}

/**
 * lsmpmon_places_used - limit of the places of a table that are in use
 * @places: places of the table
 *
 * Context: process context.  Nobody may be recording.
 * Return: a number above every place in use.
 */
unsigned int lsmpmon_places_used(const struct lsmpmon_places *places)
{
	unsigned int place = LSMPMON_ALL_PLACES;

	while (place > LSMPMON_FIXED * places->rows &&
	       test_bit(place - 1, places->free))
		place--;
	return place;
}

/**
 * lsmpmon_places_size - size of the memory of the places of a table
 * @places: places of the table
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
 * lsmpmon_place_find - find the place of a pair
 * @places: places of the table
 * @row: row of the pair
 * @column: column of the pair
 *
 * Context: any.
 * Return: the place, or LSMPMON_NO_PLACE if the pair has none.
 */
unsigned int lsmpmon_place_find(const struct lsmpmon_places *places,
				unsigned int row, unsigned int column)
{
	const u32 *of = places->of;

	if (column >= places->columns - LSMPMON_FIXED)
		return lsmpmon_fixed_place(places, row, column);
	of += lsmpmon_pair_index(places, row, column);
	return READ_ONCE(*of) / LSMPMON_PAIR_WORDS ?: LSMPMON_NO_PLACE;
}

static void lsmpmon_put_place(struct lsmpmon_places *places, unsigned int place)
{
	const unsigned int word = BIT_WORD(place);

	/* Order earlier writes to the place before it is taken again. */
	smp_mb__before_atomic();
	set_bit(place, places->free);
	if (READ_ONCE(places->from) > word)
		WRITE_ONCE(places->from, word);
}

/* Take a free place, or return LSMPMON_NO_PLACE. */
static unsigned int lsmpmon_get_place(struct lsmpmon_places *places)
{
	const unsigned int from = READ_ONCE(places->from);
	unsigned int place, word;
	unsigned long bits;

	for (word = from; word < LSMPMON_PLACE_WORDS; word++)
		while ((bits = READ_ONCE(places->free[word]))) {
			place = word * BITS_PER_LONG + __ffs(bits);
			if (!test_and_clear_bit(place, places->free))
				continue;
			if (word != from)
				WRITE_ONCE(places->from, word);
			return place;
		}
	if (word != from)
		WRITE_ONCE(places->from, word);
	return LSMPMON_NO_PLACE;
}

/**
 * lsmpmon_place_take - find the place of a pair, or assign one
 * @places: places of the table
 * @row: row of the pair
 * @column: column of the pair
 *
 * Context: any, NMI included; called from the hot path.
 * Return: the place; that of the last column of the row if none is free.
 */
unsigned int lsmpmon_place_take(struct lsmpmon_places *places,
				unsigned int row, unsigned int column)
{
	unsigned int free_place, place = lsmpmon_place_find(places, row, column);
	u32 taken;

	if (place != LSMPMON_NO_PLACE)
		return place;
	free_place = lsmpmon_get_place(places);
	if (free_place == LSMPMON_NO_PLACE)
		return lsmpmon_fixed_place(places, row, places->columns - 1);
	taken = cmpxchg(&places->of[lsmpmon_pair_index(places, row, column)], 0,
			LSMPMON_PAIR_WORDS * free_place);
	if (!taken)
		return free_place;
	lsmpmon_put_place(places, free_place);
	return taken / LSMPMON_PAIR_WORDS;
}

/**
 * lsmpmon_place_free - free the place of a pair
 * @places: places of the table
 * @row: row of the pair
 * @column: column of the pair; not a fixed column
 *
 * Context: process context, under lsmpmon_control_lock().  The pair must not be in
 *	use, and its counters must be as after a reset.
 */
void lsmpmon_place_free(struct lsmpmon_places *places, unsigned int row,
			unsigned int column)
{
	u32 *entry = &places->of[lsmpmon_pair_index(places, row, column)];
	const u32 taken = READ_ONCE(*entry);

	WRITE_ONCE(*entry, 0);
	lsmpmon_put_place(places, taken / LSMPMON_PAIR_WORDS);
}

/**
 * lsmpmon_places_left - number of free places
 * @places: places of a table
 *
 * Context: any.
 * Return: a number that may be outdated already.
 */
unsigned int lsmpmon_places_left(const struct lsmpmon_places *places)
{
	unsigned int word, left = 0;

	for (word = 0; word < LSMPMON_PLACE_WORDS; word++)
		left += hweight_long(READ_ONCE(places->free[word]));
	return left;
}

/**
 * lsmpmon_places_are_few - test whether few places are left
 * @places: places of a table
 *
 * Context: any.
 * Return: true if the first seven eighths of the places are taken.
 */
bool lsmpmon_places_are_few(const struct lsmpmon_places *places)
{
	return READ_ONCE(places->from) > LSMPMON_PLACE_WORDS / 8 * 7;
}

/**
 * lsmpmon_places_rescan - have the next search for a free place start at the first
 * @places: places of a table
 *
 * A search that found no free place may set @from after a place was freed.
 *
 * Context: any.
 */
void lsmpmon_places_rescan(struct lsmpmon_places *places)
{
	WRITE_ONCE(places->from, 0);
}
