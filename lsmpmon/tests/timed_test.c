// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of sampling
 */

#include "../denial.h"
#include "../feature.h"
#include "../timed.h"
#include "../untimed.h"
#include "self.h"

#define N	64
#define CALLS	10007

static int timed_test_init(struct kunit *test)
{
	self_test_init(test);
	return lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, N);
}

static void timed_test_exit(struct kunit *test)
{
	lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, 1);
	self_test_exit(test);
}

/* Like lsmpmon_call_HOOK(), without callbacks. */
static void call(int rc)
{
	LSMPMON_FRAME(frame);

	if (!lsmpmon_skip_timing_early(&frame))
		lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_end_dispatch(&frame, SELF, rc);
}

static u64 untimed(enum lsmpmon_verdict verdict)
{
	return lsmpmon_untimed_read(LSMPMON_HOOK_SELF, verdict);
}

static u64 timed(enum lsmpmon_verdict verdict)
{
	const struct lsmpmon_cell cell = self_cell(verdict);

	return cell.count + cell.cs_count;
}

/* The number of skipped calls is uniform in 0 .. 2 * N - 2. */
static void waits_are_even(struct kunit *test)
{
	unsigned int least = UINT_MAX, most = 0, sum = 0, skips;
	int i;

	for (i = 0; i < CALLS; i++) {
		preempt_disable();
		lsmpmon_draw_skips();
		skips = raw_cpu_read(lsmpmon_skips);
		preempt_enable();
		least = min(least, skips);
		most = max(most, skips);
		sum += skips;
	}
	KUNIT_EXPECT_EQ(test, least, 0);
	KUNIT_EXPECT_EQ(test, most, 2 * N - 2);
	/* The mean of all draws has a standard deviation of 0.4. */
	KUNIT_EXPECT_GT(test, sum, CALLS * (N - 5));
	KUNIT_EXPECT_LT(test, sum, CALLS * (N + 3));
}

static void every_call_is_counted(struct kunit *test)
{
	int i;

	for (i = 0; i < CALLS; i++)
		call(0);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_ALLOW) + timed(LSMPMON_ALLOW),
			CALLS);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_DENY) + timed(LSMPMON_DENY), 0);
	/* 156 are expected, with a standard deviation of 8. */
	KUNIT_EXPECT_GT(test, timed(LSMPMON_ALLOW), CALLS / N / 2);
	KUNIT_EXPECT_LT(test, timed(LSMPMON_ALLOW), CALLS / N * 2);
	KUNIT_EXPECT_GT(test, self_cell(LSMPMON_ALLOW).sum, 0);
}

/* -ECHILD is not a denial, see lsmpmon_denies(). */
static void verdicts_are_exact(struct kunit *test)
{
	struct lsmpmon_denial denial;
	int i;

	for (i = 0; i < CALLS; i++) {
		call(-EACCES);
		call(-ECHILD);
		call(0);
	}
	lsmpmon_denial_read(LSMPMON_HOOK_SELF, -EACCES, &denial);
	KUNIT_EXPECT_EQ(test, denial.count + denial.cs_count, CALLS);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_DENY) + timed(LSMPMON_DENY),
			CALLS);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_ALLOW) + timed(LSMPMON_ALLOW),
			2 * CALLS);
}

static void switching_inside_a_call_is_harmless(struct kunit *test)
{
	LSMPMON_FRAME(frame);

	while (!lsmpmon_skip_timing(&frame))
		;
	lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, 1);
	lsmpmon_end_dispatch(&frame, SELF, 0);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_ALLOW), 1);
	KUNIT_EXPECT_EQ(test, timed(LSMPMON_ALLOW), 0);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, N);
	lsmpmon_end_dispatch(&frame, SELF, 0);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_ALLOW), 0);
	KUNIT_EXPECT_EQ(test, timed(LSMPMON_ALLOW), 1);
}

static void each_is_timed_while_each_has_to_be(struct kunit *test)
{
	int i;

	lsmpmon_keys_use(LSMPMON_USER_CALLS);
	for (i = 0; i < CALLS; i++)
		call(0);
	lsmpmon_keys_unuse(LSMPMON_USER_CALLS);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_ALLOW), 0);
	KUNIT_EXPECT_EQ(test, timed(LSMPMON_ALLOW), CALLS);
}

static void nothing_is_counted_while_off(struct kunit *test)
{
	LSMPMON_FRAME(frame);

	while (!lsmpmon_skip_timing(&frame))
		;
	lsmpmon_measure(false);
	lsmpmon_end_dispatch(&frame, SELF, 0);
	lsmpmon_end_dispatch(&frame, SELF, -EACCES);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_ALLOW), 0);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_DENY), 0);
}

static void reset_zeroes(struct kunit *test)
{
	int i;

	for (i = 0; i < CALLS; i++)
		call(0);
	KUNIT_EXPECT_GT(test, untimed(LSMPMON_ALLOW), 0);
	lsmpmon_reset();
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_ALLOW), 0);
	for (i = 0; i < CALLS; i++)
		call(0);
	/* Changing the sample period resets, too. */
	lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, 2 * N);
	KUNIT_EXPECT_EQ(test, untimed(LSMPMON_ALLOW), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_sample_period, 2 * N);
}

static struct kunit_case timed_cases[] = {
	KUNIT_CASE(waits_are_even),
	KUNIT_CASE(every_call_is_counted),
	KUNIT_CASE(verdicts_are_exact),
	KUNIT_CASE(switching_inside_a_call_is_harmless),
	KUNIT_CASE(each_is_timed_while_each_has_to_be),
	KUNIT_CASE(nothing_is_counted_while_off),
	KUNIT_CASE(reset_zeroes),
	{}
};

static struct kunit_suite timed_suite = {
	.name = "lsmpmon_timed",
	.init = timed_test_init,
	.exit = timed_test_exit,
	.test_cases = timed_cases,
};

kunit_test_suite(timed_suite);
