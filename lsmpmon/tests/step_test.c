// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of step.c
 */

#include <kunit/test.h>
#include <linux/init.h>
#include <linux/kernel.h>

#include "../step.h"

struct step_case {
	unsigned int step;
	u64 difference[6];
};

/* Differences of readings, as real clocks have them. */
static const struct step_case step_cases[] __initconst = {
	{ 1, { 0, 1, 0, 0, 1, 2 } },		/* 19.2 MHz */
	{ 52, { 0, 53, 52, 0, 104, 105 } },	/* the same in nanoseconds */
	{ 1, { 42, 44, 57, 42, 44, 43 } },	/* moves faster than it is read */
	{ 26, { 52, 78, 52, 26, 52, 7800 } },	/* the same, in larger steps */
	{ 4, { 8, -4ULL, 4, 12, -1ULL, 8 } },	/* goes back */
	{ 0, { 0, 0, 0, 0, 0, 0 } },		/* stands still */
};

static void __init step_is_the_clocks(struct kunit *test)
{
	int i, j;

	for (i = 0; i < ARRAY_SIZE(step_cases); i++) {
		struct lsmpmon_steps steps = { };

		for (j = 0; j < ARRAY_SIZE(step_cases[i].difference); j++)
			lsmpmon_step_add(&steps, step_cases[i].difference[j]);
		KUNIT_EXPECT_EQ_MSG(test, lsmpmon_step(&steps),
				    step_cases[i].step, "case %d", i);
	}
	KUNIT_EXPECT_GT(test, lsmpmon_measure_step(), 0);
}

static struct kunit_case __refdata step_suite_cases[] = {
	KUNIT_CASE(step_is_the_clocks),
	{}
};

static struct kunit_suite step_suite = {
	.name = "lsmpmon_step",
	.test_cases = step_suite_cases,
};

kunit_test_init_section_suites(&step_suite);
