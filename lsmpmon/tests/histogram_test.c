// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of the buckets
 */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/prandom.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "../bucket.h"
#include "../feature.h"
#include "self.h"

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

/* Buckets are at most 1/8 wide relative to their lower bound. */
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

/* Durations from 1 tick to hours, equally many in each power of two. */
static u64 some_duration(struct rnd_state *rnd)
{
	const unsigned int bits = prandom_u32_state(rnd) % 46;
	u64 low = prandom_u32_state(rnd);

	low |= (u64)prandom_u32_state(rnd) << 32;
	return BIT_ULL(bits) | (low & (BIT_ULL(bits) - 1));
}

static int compare(const void *a, const void *b)
{
	const u64 left = *(const u64 *)a, right = *(const u64 *)b;

	return (left > right) - (left < right);
}

/* The duration of a given rank, as a reader of lsmmon/histogram computes it. */
static u64 read_quantile(const unsigned int *count, unsigned int rank)
{
	unsigned int bucket = 0, below = count[0];

	while (below < rank)
		below += count[++bucket];
	return lsmpmon_bucket_le(bucket);
}

#define DURATIONS	10007

/* Quantiles are at most an eighth above those of the known durations. */
static void quantiles_are_near(struct kunit *test)
{
	static const unsigned int per_mille[] = { 1, 100, 500, 900, 990, 999 };
	unsigned int *count, i, rank;
	struct rnd_state rnd;
	u64 *ticks, read;

	ticks = kunit_kmalloc_array(test, DURATIONS, sizeof(*ticks), GFP_KERNEL);
	count = kunit_kcalloc(test, LSMPMON_BUCKETS, sizeof(*count), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ticks);
	KUNIT_ASSERT_NOT_NULL(test, count);
	prandom_seed_state(&rnd, 1);
	for (i = 0; i < DURATIONS; i++) {
		ticks[i] = some_duration(&rnd);
		count[lsmpmon_bucket(ticks[i])]++;
	}
	sort(ticks, DURATIONS, sizeof(*ticks), compare, NULL);
	for (i = 0; i < ARRAY_SIZE(per_mille); i++) {
		rank = DIV_ROUND_UP(DURATIONS * per_mille[i], 1000);
		read = read_quantile(count, rank);
		KUNIT_EXPECT_GE(test, read, ticks[rank - 1]);
		KUNIT_EXPECT_LE(test, (read - ticks[rank - 1]) * 8,
				ticks[rank - 1]);
	}
}

/* Sum of the counts of SELF on all CPUs: 0 count, 1 own, 2 wall. */
static void self_buckets(u64 sum[3])
{
	const struct lsmpmon_buckets *buckets;
	int cpu, i;

	memset(sum, 0, 3 * sizeof(*sum));
	for_each_online_cpu(cpu) {
		buckets = per_cpu(lsmpmon_cpu, cpu).histogram;
		for (i = 0; buckets && i < LSMPMON_BUCKETS; i++) {
			sum[0] += buckets[LSMPMON_HOOK_SELF].count[i];
			sum[1] += buckets[LSMPMON_HOOK_SELF].own[i];
			sum[2] += buckets[LSMPMON_HOOK_SELF].wall[i];
		}
	}
	sum[1] += sum[0];
	sum[2] += sum[0];
}

/* A call that sleeps is in the bucket of its own time and in that of its duration. */
static void call_with_a_switch_is_in_own_and_wall(struct kunit *test)
{
	const bool on = lsmpmon_is_measuring();
	u64 before[3], after[3];
	LSMPMON_FRAME(frame);

	KUNIT_ASSERT_EQ(test, 0, lsmpmon_feature_switch(LSMPMON_FEATURE_HISTOGRAM, 1));
	KUNIT_ASSERT_EQ(test, 0, lsmpmon_measure(true));
	self_buckets(before);
	empty_span();
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	msleep(20);
	lsmpmon_end(SELF, 0);
	self_buckets(after);
	lsmpmon_measure(on);
	lsmpmon_feature_switch(LSMPMON_FEATURE_HISTOGRAM, 0);
	KUNIT_EXPECT_EQ(test, after[0], before[0] + 1);
	KUNIT_EXPECT_EQ(test, after[1], before[1] + 2);
	KUNIT_EXPECT_EQ(test, after[2], before[2] + 2);
}

static struct kunit_case histogram_cases[] = {
	KUNIT_CASE(every_value_is_at_most_its_bucket),
	KUNIT_CASE(buckets_meet),
	KUNIT_CASE(buckets_are_narrow),
	KUNIT_CASE(quantiles_are_near),
	KUNIT_CASE(call_with_a_switch_is_in_own_and_wall),
	{}
};

static struct kunit_suite histogram_suite = {
	.name = "lsmpmon_histogram",
	.test_cases = histogram_cases,
};

kunit_test_suite(histogram_suite);
