// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of the buckets
 */

#include <kunit/test.h>

#include "../histogram.h"

static void every_value_is_at_most_its_bucket(struct kunit *test)
{
	u64 ticks;
	int bit, low;

	for (bit = 0; bit < 48; bit++) {
		for (low = -2; low <= 2; low++) {
			ticks = (1ULL << bit) + low;
			if ((s64)ticks < 0 || ticks >= 1ULL << 48)
				continue;
			KUNIT_EXPECT_LE(test, ticks,
					lsmpmon_bucket_le(lsmpmon_bucket(ticks)));
		}
	}
}

static void buckets_meet(struct kunit *test)
{
	unsigned int bucket;
	u64 le;

	for (bucket = 0; bucket < LSMPMON_BUCKETS - 1; bucket++) {
		le = lsmpmon_bucket_le(bucket);
		KUNIT_EXPECT_EQ(test, lsmpmon_bucket(le), bucket);
		KUNIT_EXPECT_EQ(test, lsmpmon_bucket(le + 1), bucket + 1);
	}
	KUNIT_EXPECT_EQ(test, lsmpmon_bucket(U64_MAX), LSMPMON_BUCKETS - 1);
}

/* At most 1/8 wide relative to their lower bound. */
static void buckets_are_narrow(struct kunit *test)
{
	unsigned int bucket;
	u64 low, width;

	for (bucket = 9; bucket < LSMPMON_BUCKETS - 1; bucket++) {
		low = lsmpmon_bucket_le(bucket - 1) + 1;
		width = lsmpmon_bucket_le(bucket) - low + 1;
		KUNIT_EXPECT_LE(test, width * 8, low);
	}
}

static struct kunit_case histogram_cases[] = {
	KUNIT_CASE(every_value_is_at_most_its_bucket),
	KUNIT_CASE(buckets_meet),
	KUNIT_CASE(buckets_are_narrow),
	{}
};

static struct kunit_suite histogram_suite = {
	.name = "lsmpmon_histogram",
	.test_cases = histogram_cases,
};

kunit_test_suite(histogram_suite);
