// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of store.c
 */

#include <kunit/test.h>

#include "../store.h"

static void empty_cell_changes_nothing(struct kunit *test)
{
	const struct lsmpmon_cell empty = { .min = U64_MAX };
	struct lsmpmon_cell total = {
		.count = 2, .sum = 30, .min = 10, .quiet_max = 20,
		.irq_count = 1, .irq_sum = 20, .irq_max = 20, .cs_count = 3,
	};
	const struct lsmpmon_cell before = total;

	lsmpmon_cell_add(&total, &empty);
	KUNIT_EXPECT_EQ(test, memcmp(&total, &before, sizeof(total)), 0);
}

static void cells_add_up(struct kunit *test)
{
	struct lsmpmon_cell total = {
		.count = 2, .sum = 30, .min = 10, .quiet_max = 20, .cs_count = 3,
	};
	const struct lsmpmon_cell more = {
		.count = 1, .sum = 5, .min = 5, .quiet_max = 0, .irq_count = 1,
		.irq_sum = 5, .irq_max = 5, .cs_count = 4,
	};

	lsmpmon_cell_add(&total, &more);
	KUNIT_EXPECT_EQ(test, total.count, 3);
	KUNIT_EXPECT_EQ(test, total.sum, 35);
	KUNIT_EXPECT_EQ(test, total.min, 5);
	KUNIT_EXPECT_EQ(test, total.quiet_max, 20);
	KUNIT_EXPECT_EQ(test, total.irq_count, 1);
	KUNIT_EXPECT_EQ(test, total.irq_sum, 5);
	KUNIT_EXPECT_EQ(test, total.irq_max, 5);
	KUNIT_EXPECT_EQ(test, total.cs_count, 7);
}

static void maximum_is_of_both(struct kunit *test)
{
	const struct lsmpmon_cell quiet = { .quiet_max = 7, .irq_max = 3 };
	const struct lsmpmon_cell struck = { .quiet_max = 3, .irq_max = 9 };

	KUNIT_EXPECT_EQ(test, lsmpmon_cell_max(&quiet), 7);
	KUNIT_EXPECT_EQ(test, lsmpmon_cell_max(&struck), 9);
}

static struct kunit_case store_cases[] = {
	KUNIT_CASE(empty_cell_changes_nothing),
	KUNIT_CASE(cells_add_up),
	KUNIT_CASE(maximum_is_of_both),
	{}
};

static struct kunit_suite store_suite = {
	.name = "lsmpmon_store",
	.test_cases = store_cases,
};

kunit_test_suite(store_suite);
