// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: where pairs of a hook and an
 * operation are counted
 *
 * Users decide which pairs occur, so they may try to take all places: a child
 * that seccomp kills at a system call N calls hooks in N, for any N.  So what a
 * task calls while it exits or dumps core is one operation, see operation.c, and
 * a pair that finds all places taken is counted in the row of LSMPMON_OTHER.
 */

#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "place.h"

struct lsmpmon_places *lsmpmon_places;

/**
 * lsmpmon_places_give - memory for the places of pairs, unless it is there
 * @on: whether pairs are to be counted; what was allocated stays
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_places_give(bool on)
{
	struct lsmpmon_places *places;

	if (!on || lsmpmon_places)
		return 0;
	places = kvzalloc(sizeof(*places), GFP_KERNEL);
	if (!places)
		return -ENOMEM;
	/* Zeroes first, for readers that find it. */
	smp_store_release(&lsmpmon_places, places);
	return 0;
}

/**
 * lsmpmon_places_wipe - make all places free
 *
 * Context: process context or early boot.  Nobody may be recording.
 */
void lsmpmon_places_wipe(void)
{
	if (lsmpmon_places)
		memset(lsmpmon_places, 0, sizeof(*lsmpmon_places));
}

/* Operations that have a place for each hook, whatever others take. */
static unsigned int fixed_place(unsigned int hook, unsigned int operation)
{
	return hook + (operation == LSMPMON_OTHER) * LSMPMON_CELLS;
}

/**
 * lsmpmon_place_find - the place of a pair
 * @places: all of them
 * @hook: below LSMPMON_CELLS
 * @operation: below LSMPMON_OPERATIONS
 *
 * Context: any.
 * Return: the place, or LSMPMON_ALL_PLACES if the pair has none.
 */
unsigned int lsmpmon_place_find(const struct lsmpmon_places *places,
				unsigned int hook, unsigned int operation)
{
	if (operation >= LSMPMON_NO_OPERATION)
		return fixed_place(hook, operation);
	return READ_ONCE(places->of[hook][operation]) ?: LSMPMON_ALL_PLACES;
}

/*
 * Look for a free place, from @place on.  The task that took a place may have
 * been interrupted before it could publish that in @of, so each search publishes
 * the owners that it passes.  Two searches for the same pair thus find the same
 * place, and neither waits for the other.
 */
static unsigned int take(struct lsmpmon_places *places, unsigned int place,
			 u32 pair)
{
	u16 *of = places->of[0];
	u32 owner;

	for (; place < LSMPMON_PLACES; place++) {
		owner = cmpxchg(&places->owner[place], 0, pair + 1) ?: pair + 1;
		WRITE_ONCE(of[owner - 1], LSMPMON_FIRST_PLACE + place);
		/* Pairs with lsmpmon_place_take(). */
		smp_store_release(&places->taken, place + 1);
		if (owner == pair + 1)
			return LSMPMON_FIRST_PLACE + place;
	}
	return LSMPMON_ALL_PLACES;
}

/**
 * lsmpmon_place_take - the place of a pair, which takes one if it has none
 * @places: all of them
 * @hook: below LSMPMON_CELLS
 * @operation: below LSMPMON_OPERATIONS
 *
 * Context: any, NMI included; called from the hot path.
 * Return: the place: that of the hook in LSMPMON_OTHER if all are taken.
 */
unsigned int lsmpmon_place_take(struct lsmpmon_places *places,
				unsigned int hook, unsigned int operation)
{
	/* Pairs with take(): @of tells all pairs whose place is before this. */
	const unsigned int from = smp_load_acquire(&places->taken);
	unsigned int place;

	BUILD_BUG_ON(LSMPMON_ALL_PLACES > U16_MAX);
	place = lsmpmon_place_find(places, hook, operation);
	if (place == LSMPMON_ALL_PLACES)
		place = take(places, from, hook * LSMPMON_ROW + operation);
	if (place == LSMPMON_ALL_PLACES)
		place = fixed_place(hook, LSMPMON_OTHER);
	return place;
}
