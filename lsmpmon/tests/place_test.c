// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of places of pairs
 *
 * Each test has tables of its own: one of the size that system calls have, one
 * of the size that payers have, and small ones of odd sizes.
 */

#include <kunit/test.h>
#include <linux/bitmap.h>
#include <linux/mm.h>

#include "../hook.h"
#include "../operation.h"
#include "../payer.h"
#include "../place.h"

struct shape {
	const char *name;
	unsigned int rows, columns;
};

static const struct shape shapes[] = {
	{ "syscalls", LSMPMON_CELLS, LSMPMON_OPERATIONS },
	{ "payers", LSMPMON_CELLS, LSMPMON_PAYERS + LSMPMON_FIXED },
	{ "tasks", LSMPMON_CELLS, LSMPMON_TASK_PAYERS + LSMPMON_FIXED },
	{ "small", 7, 13 },
	{ "one row", 1, 5 },
	{ "one column", 5, 3 },
	{ "one place", (LSMPMON_ALL_PLACES - 1) / LSMPMON_FIXED, 3 },
};

static void describe(const struct shape *shape, char *description)
{
	strscpy(description, shape->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(place, shapes, describe);

static int place_test_init(struct kunit *test)
{
	const struct shape *shape = test->param_value;
	struct lsmpmon_places *places = NULL;
	int err;

	if (!shape)
		return 0;
	err = lsmpmon_places_alloc(&places, shape->rows, shape->columns);
	test->priv = places;
	return err;
}

static void place_test_exit(struct kunit *test)
{
	kvfree(test->priv);
}

/* Number of pairs that have a place, of those that need one. */
static unsigned int expected(const struct lsmpmon_places *places)
{
	return min_t(unsigned int,
		     LSMPMON_ALL_PLACES - LSMPMON_FIXED * places->rows,
		     places->rows * (places->columns - LSMPMON_FIXED));
}

static void fixed_columns_have_places(struct kunit *test)
{
	struct lsmpmon_places *places = test->priv;
	const unsigned int last = places->columns - 1;
	unsigned int row;

	for (row = 0; row < places->rows; row++) {
		KUNIT_EXPECT_EQ(test, row,
				lsmpmon_place_find(places, row, last - 1));
		KUNIT_EXPECT_EQ(test, row,
				lsmpmon_place_take(places, row, last - 1));
		KUNIT_EXPECT_EQ(test, places->rows + row,
				lsmpmon_place_find(places, row, last));
		KUNIT_EXPECT_EQ(test, places->rows + row,
				lsmpmon_place_take(places, row, last));
	}
	KUNIT_EXPECT_EQ(test, lsmpmon_places_left(places),
			LSMPMON_ALL_PLACES - LSMPMON_FIXED * places->rows);
}

/* Number of pairs that got a place of their own; the others use the last column. */
static unsigned int take_all(struct lsmpmon_places *places, unsigned long *seen,
			     unsigned int *wrong)
{
	unsigned int row, column, place, own = 0;

	for (column = 0; column < places->columns - LSMPMON_FIXED; column++)
		for (row = 0; row < places->rows; row++) {
			place = lsmpmon_place_take(places, row, column);
			if (place == places->rows + row)
				continue;
			own++;
			*wrong += place < LSMPMON_FIXED * places->rows ||
				  place >= LSMPMON_ALL_PLACES ||
				  test_and_set_bit(place, seen) ||
				  place != lsmpmon_place_find(places, row, column);
		}
	return own;
}

/* Even if a user creates every possible pair. */
static void no_place_is_given_twice(struct kunit *test)
{
	struct lsmpmon_places *places = test->priv;
	unsigned long *seen = bitmap_zalloc(LSMPMON_ALL_PLACES, GFP_KERNEL);
	unsigned int wrong = 0;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	KUNIT_EXPECT_EQ(test, take_all(places, seen, &wrong), expected(places));
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_places_left(places),
			LSMPMON_ALL_PLACES - LSMPMON_FIXED * places->rows -
			expected(places));
	bitmap_free(seen);
}

/* The first pairs keep their places when there are more pairs than places. */
static void pairs_keep_their_places(struct kunit *test)
{
	struct lsmpmon_places *places = test->priv;
	unsigned long *first = bitmap_zalloc(LSMPMON_ALL_PLACES, GFP_KERNEL);
	unsigned long *again = bitmap_zalloc(LSMPMON_ALL_PLACES, GFP_KERNEL);
	unsigned int wrong = 0, before;

	KUNIT_ASSERT_NOT_NULL(test, first);
	KUNIT_ASSERT_NOT_NULL(test, again);
	KUNIT_EXPECT_EQ(test, lsmpmon_place_find(places, 0, 0), LSMPMON_NO_PLACE);
	before = lsmpmon_place_take(places, 0, 0);
	take_all(places, first, &wrong);
	take_all(places, again, &wrong);
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_TRUE(test, bitmap_equal(first, again, LSMPMON_ALL_PLACES));
	KUNIT_EXPECT_EQ(test, lsmpmon_place_take(places, 0, 0), before);
	bitmap_free(again);
	bitmap_free(first);
}

static void wipe_frees_all(struct kunit *test)
{
	struct lsmpmon_places *places = test->priv;
	unsigned long *seen = bitmap_zalloc(LSMPMON_ALL_PLACES, GFP_KERNEL);
	unsigned int row, column, left = 0, wrong = 0;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	take_all(places, seen, &wrong);
	lsmpmon_places_wipe(places);
	for (row = 0; row < places->rows; row++)
		for (column = 0; column < places->columns - LSMPMON_FIXED; column++)
			left += lsmpmon_place_find(places, row, column) !=
				LSMPMON_NO_PLACE;
	KUNIT_EXPECT_EQ(test, left, 0);
	bitmap_zero(seen, LSMPMON_ALL_PLACES);
	KUNIT_EXPECT_EQ(test, take_all(places, seen, &wrong), expected(places));
	KUNIT_EXPECT_EQ(test, wrong, 0);
	bitmap_free(seen);
}

/* Allocated places stay, whatever size is requested. */
static void places_are_given_once(struct kunit *test)
{
	struct lsmpmon_places *places = test->priv, *same = places;

	KUNIT_EXPECT_EQ(test, lsmpmon_places_alloc(&same, 1, 4), 0);
	KUNIT_EXPECT_PTR_EQ(test, same, places);
}

/* A call that was interrupted after taking a place and before storing it. */
static void nobody_waits_for_a_place(struct kunit *test)
{
	struct lsmpmon_places *places = NULL;
	const unsigned int first = LSMPMON_FIXED * 7;

	KUNIT_ASSERT_EQ(test, lsmpmon_places_alloc(&places, 7, 13), 0);
	__clear_bit(first, places->free);
	KUNIT_EXPECT_EQ(test, first + 1, lsmpmon_place_take(places, 3, 8));
	KUNIT_EXPECT_EQ(test, LSMPMON_NO_PLACE, lsmpmon_place_find(places, 3, 9));
	KUNIT_EXPECT_EQ(test, first + 2, lsmpmon_place_take(places, 3, 9));
	kvfree(places);
}

/* Free every second place, so that neighbours in the index must not change. */
static unsigned int free_odd_columns(struct lsmpmon_places *places)
{
	unsigned int row, column, count = 0;

	for (column = 1; column < places->columns - LSMPMON_FIXED; column += 2)
		for (row = 0; row < places->rows; row++)
			if (lsmpmon_place_find(places, row, column) !=
			    LSMPMON_NO_PLACE) {
				lsmpmon_place_free(places, row, column);
				count++;
			}
	return count;
}

static void free_places_are_taken_again(struct kunit *test)
{
	struct lsmpmon_places *places = test->priv;
	unsigned long *seen = bitmap_zalloc(LSMPMON_ALL_PLACES, GFP_KERNEL);
	unsigned int wrong = 0, left, freed, place;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	take_all(places, seen, &wrong);
	left = lsmpmon_places_left(places);
	place = lsmpmon_place_find(places, places->rows - 1, 0);
	freed = free_odd_columns(places);
	KUNIT_EXPECT_EQ(test, lsmpmon_places_left(places), left + freed);
	KUNIT_EXPECT_EQ(test, place,
			lsmpmon_place_find(places, places->rows - 1, 0));
	bitmap_zero(seen, LSMPMON_ALL_PLACES);
	KUNIT_EXPECT_EQ(test, take_all(places, seen, &wrong), expected(places));
	KUNIT_EXPECT_EQ(test, wrong, 0);
	bitmap_free(seen);
}

/* A search that found nothing ends just after a place was freed. */
static void no_free_place_is_overlooked(struct kunit *test)
{
	struct lsmpmon_places *places = test->priv;
	unsigned long *seen = bitmap_zalloc(LSMPMON_ALL_PLACES, GFP_KERNEL);
	unsigned int wrong = 0, place;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	take_all(places, seen, &wrong);
	place = lsmpmon_place_find(places, 0, 0);
	lsmpmon_place_free(places, 0, 0);
	places->from = LSMPMON_PLACE_WORDS;
	KUNIT_EXPECT_TRUE(test, lsmpmon_places_are_few(places));
	KUNIT_EXPECT_EQ(test, lsmpmon_place_take(places, 0, 0), places->rows);
	lsmpmon_places_rescan(places);
	lsmpmon_place_take(places, 0, 0);
	KUNIT_EXPECT_NE(test, lsmpmon_place_find(places, 0, 0), LSMPMON_NO_PLACE);
	if (expected(places) == LSMPMON_ALL_PLACES - LSMPMON_FIXED * places->rows)
		KUNIT_EXPECT_EQ(test, lsmpmon_place_find(places, 0, 0), place);
	bitmap_free(seen);
}

static void calls_add_up(struct kunit *test)
{
	struct lsmpmon_pair pair = { .min = U64_MAX };

	lsmpmon_pair_add(&pair, 7);
	lsmpmon_pair_add(&pair, 9);
	KUNIT_EXPECT_EQ(test, pair.count, 2);
	KUNIT_EXPECT_EQ(test, pair.sum, 16);
	KUNIT_EXPECT_EQ(test, pair.min, 7);
	KUNIT_EXPECT_EQ(test, pair.max, 9);
	KUNIT_EXPECT_EQ(test, pair.cs_count, 0);
}

static struct kunit_case place_cases[] = {
	KUNIT_CASE_PARAM(fixed_columns_have_places, place_gen_params),
	KUNIT_CASE_PARAM(no_place_is_given_twice, place_gen_params),
	KUNIT_CASE_PARAM(pairs_keep_their_places, place_gen_params),
	KUNIT_CASE_PARAM(wipe_frees_all, place_gen_params),
	KUNIT_CASE_PARAM(places_are_given_once, place_gen_params),
	KUNIT_CASE_PARAM(free_places_are_taken_again, place_gen_params),
	KUNIT_CASE_PARAM(no_free_place_is_overlooked, place_gen_params),
	KUNIT_CASE(nobody_waits_for_a_place),
	KUNIT_CASE(calls_add_up),
	{}
};

static struct kunit_suite place_suite = {
	.name = "lsmpmon_place",
	.init = place_test_init,
	.exit = place_test_exit,
	.test_cases = place_cases,
};

kunit_test_suite(place_suite);
