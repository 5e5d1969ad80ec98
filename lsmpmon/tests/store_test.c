// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of store.c
 */

#include <kunit/test.h>
#include <linux/hrtimer.h>
#include <linux/sched.h>

#include "../store.h"
#include "strike.h"

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

/* A writer on a CPU that stops for a while. */
struct still {
	struct lsmpmon_cpu *cpu;
	struct hrtimer timer;
};

static enum hrtimer_restart go_on(struct hrtimer *timer)
{
	struct still *still = container_of(timer, struct still, timer);

	WRITE_ONCE(still->cpu->busy, 0);
	return HRTIMER_NORESTART;
}

/* A reader sleeps until the writer has ended, and then reads all of it. */
static void reader_waits_asleep(struct kunit *test)
{
	const unsigned long switches = current->nvcsw;
	struct lsmpmon_cell copy = { };
	struct still still;

	still.cpu = kunit_kzalloc(test, sizeof(*still.cpu), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, still.cpu);
	still.cpu->busy = 1;
	still.cpu->cell = kunit_kzalloc(test, sizeof(*still.cpu->cell),
					GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, still.cpu->cell);
	still.cpu->cell[0][0].count = 7;
	hrtimer_setup(&still.timer, go_on, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_HARD);
	hrtimer_start(&still.timer, ms_to_ktime(200), HRTIMER_MODE_REL_HARD);
	lsmpmon_copy(still.cpu, &still.cpu->cell[0][0], &copy, sizeof(copy));
	KUNIT_EXPECT_EQ(test, still.cpu->busy, 0);
	KUNIT_EXPECT_EQ(test, copy.count, 7);
	KUNIT_EXPECT_GT(test, current->nvcsw, switches);
	hrtimer_cancel(&still.timer);
}

/* A writer that has counted in one of two counters, and counts in the other later. */
struct half {
	struct lsmpmon_cpu cpu;
	struct hrtimer timer;
	u64 counter[3];
};

static enum hrtimer_restart count_in_the_other(struct hrtimer *timer)
{
	struct half *half = container_of(timer, struct half, timer);

	half->counter[2] = -1;
	WRITE_ONCE(half->cpu.busy, 0);
	return HRTIMER_NORESTART;
}

/* Of counters that are apart, a reader has all that a writer did. */
static void counters_apart_are_of_one_moment(struct kunit *test)
{
	struct half *half = kunit_kzalloc(test, sizeof(*half), GFP_KERNEL);
	u64 copy[2] = { };

	KUNIT_ASSERT_NOT_NULL(test, half);
	half->cpu.busy = 1;
	half->counter[0] = 1;
	hrtimer_setup(&half->timer, count_in_the_other, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_HARD);
	hrtimer_start(&half->timer, ms_to_ktime(200), HRTIMER_MODE_REL_HARD);
	lsmpmon_copy_apart(&half->cpu, half->counter, 2 * sizeof(u64), copy, 2);
	KUNIT_EXPECT_EQ(test, copy[0], 1);
	KUNIT_EXPECT_EQ(test, copy[1], (u64)-1);
	hrtimer_cancel(&half->timer);
}

/* If a writer never ends, readers give up, and later ones do not wait. */
static void reader_does_not_wait_for_ever(struct kunit *test)
{
	struct lsmpmon_cell cell = { .count = 7 }, copy = { };
	struct lsmpmon_cpu *stuck;
	int i;

	stuck = kunit_kcalloc(test, 2, sizeof(*stuck), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, stuck);
	stuck[0].busy = 1;
	stuck[1].busy = 1;
	for (i = 0; i < 1000; i++) {
		copy.count = 0;
		lsmpmon_copy(&stuck[i % 2], &cell, &copy, sizeof(copy));
		KUNIT_EXPECT_EQ(test, copy.count, 7);
	}
	stuck->busy = 0;
	lsmpmon_copy(stuck, &cell, &copy, sizeof(copy));
	KUNIT_EXPECT_EQ(test, copy.count, 7);
}

static struct kunit_case store_cases[] = {
	KUNIT_CASE(empty_cell_changes_nothing),
	KUNIT_CASE(cells_add_up),
	KUNIT_CASE(maximum_is_of_both),
	KUNIT_CASE(reader_waits_asleep),
	KUNIT_CASE(counters_apart_are_of_one_moment),
	KUNIT_CASE(reader_does_not_wait_for_ever),
	{}
};

static struct kunit_suite store_suite = {
	.name = "lsmpmon_store",
	.test_cases = store_cases,
};

kunit_test_suite(store_suite);
