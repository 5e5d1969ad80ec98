// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of calibrate.c
 */

#include <linux/init.h>

#include "../calibrate.h"
#include "self.h"

/* The monitor's own empty spans are not counted. */
static void __init calibration_counts_nothing(struct kunit *test)
{
	const struct lsmpmon_calibration *calibration;

	if (lsmpmon_is_measuring())
		kunit_skip(test, "measuring since the boot");
	lsmpmon_reset();
	calibration = lsmpmon_calibrate();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, 0);
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).min, U64_MAX);
	KUNIT_EXPECT_GT(test, calibration->overhead, 0);
	KUNIT_EXPECT_LE(test, calibration->overhead_min, calibration->overhead);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_calibrate(), calibration);
}

static struct kunit_case __refdata calibrate_cases[] = {
	KUNIT_CASE(calibration_counts_nothing),
	{}
};

static struct kunit_suite calibrate_suite = {
	.name = "lsmpmon_calibrate",
	.test_cases = calibrate_cases,
};

kunit_test_init_section_suites(&calibrate_suite);
