// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of clock.c
 */

#include <kunit/test.h>
#include <linux/math64.h>
#include <trace/events/syscalls.h>

#include "../clock.h"
#include "../compat.h"
#include "../feature.h"
#include "../share.h"
#include "self.h"

/* Longer than any duration in these tests. */
#define BACK	BIT_ULL(40)

static void ticks_become_nanoseconds(struct kunit *test)
{
	const unsigned int khz = lsmpmon_clock_khz();

	KUNIT_ASSERT_GT(test, khz, 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_ticks_to_ns(0), 0);
	/* A second is converted within ten microseconds. */
	KUNIT_EXPECT_EQ(test, DIV_ROUND_CLOSEST_ULL(lsmpmon_ticks_to_ns(khz * 1000ULL),
						    10 * NSEC_PER_USEC), 100000);
}

#if defined(CONFIG_X86) && defined(CONFIG_X86_TSC)

/* The rate changes, as when the kernel refines it a second after the boot. */
static void rate_that_is_refined_is_followed(struct kunit *test)
{
	const unsigned int khz = tsc_khz;
	u64 ns, refined;

	ns = lsmpmon_ticks_to_ns(khz * 1000ULL);
	WRITE_ONCE(tsc_khz, khz * 2);
	KUNIT_EXPECT_EQ(test, lsmpmon_clock_khz(), khz * 2);
	refined = lsmpmon_ticks_to_ns(khz * 1000ULL);
	WRITE_ONCE(tsc_khz, khz);
	KUNIT_EXPECT_EQ(test, DIV_ROUND_CLOSEST_ULL(ns, NSEC_PER_MSEC), 1000);
	KUNIT_EXPECT_EQ(test, DIV_ROUND_CLOSEST_ULL(refined, NSEC_PER_MSEC), 500);
	KUNIT_EXPECT_EQ(test, lsmpmon_ticks_to_ns(khz * 1000ULL), ns);
}

#else

static void rate_that_is_refined_is_followed(struct kunit *test)
{
	kunit_skip(test, "the kernel refines the rate of x86 alone");
}

#endif

#if LSMPMON_HAS_CALLS
static void system_call_may_have_no_time(struct kunit *test)
{
	struct lsmpmon_share before, after;
	const struct lsmpmon_share *share;
	u64 backwards;

	KUNIT_ASSERT_EQ(test, 0,
			lsmpmon_feature_switch(LSMPMON_FEATURE_CALLS, true));
	/* These tracepoints may fault, so preemption stays on. */
	migrate_disable();
	trace_sys_enter(NULL, 0);
	share = &raw_cpu_read(lsmpmon_cpu.share)[lsmpmon_of(current)->call.operation];
	before = *share;
	backwards = lsmpmon_backwards();
	lsmpmon_of(current)->call.begin += BACK;
	trace_sys_exit(NULL, 0);
	after = *share;
	KUNIT_EXPECT_EQ(test, lsmpmon_backwards(), backwards + 1);
	migrate_enable();
	lsmpmon_feature_switch(LSMPMON_FEATURE_CALLS, false);
	before.cs_count++;
	before.times.unknown++;
	KUNIT_EXPECT_EQ(test, memcmp(&before, &after, sizeof(after)), 0);
}
#else
static void system_call_may_have_no_time(struct kunit *test)
{
	kunit_skip(test, "no tracepoints of system calls");
}
#endif

static struct kunit_case clock_cases[] = {
	KUNIT_CASE(ticks_become_nanoseconds),
	KUNIT_CASE(rate_that_is_refined_is_followed),
	KUNIT_CASE(system_call_may_have_no_time),
	{}
};

static struct kunit_suite clock_suite = {
	.name = "lsmpmon_clock",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = clock_cases,
};

kunit_test_suite(clock_suite);
