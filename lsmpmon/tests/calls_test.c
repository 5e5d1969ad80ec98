// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of what hook calls add
 * to the system call that they are in
 *
 * The thread of the tests is in no system call, but hook calls are added all the
 * same.  The tests switch the keys of the feature and not the feature itself, whose
 * tracepoints some architectures lack.
 */

#include "../keys.h"
#include "self.h"

static int calls_test_init(struct kunit *test)
{
	lsmpmon_keys_use(LSMPMON_USER_CALLS);
	return self_test_init(test);
}

static void calls_test_exit(struct kunit *test)
{
	self_test_exit(test);
	lsmpmon_keys_unuse(LSMPMON_USER_CALLS);
}

static void spin(void)
{
	const u64 begin = lsmpmon_clock();

	while (lsmpmon_clock() - begin < 1000)
		cpu_relax();
}

/*
 * Make a hook call with another inside, and get the ticks that each adds.  Return
 * the number of calls that were counted.
 */
static unsigned int nest(bool selected, u64 *inner_ticks, u64 *outer_ticks)
{
	const struct lsmpmon_call *call = &lsmpmon_of(current)->call;
	const unsigned int count = call->hook_count;
	LSMPMON_FRAME(outer);
	LSMPMON_FRAME(inner);
	u64 before;

	use_filter_once();
	preempt_disable();
	before = call->hook_sum;
	lsmpmon_begin_decided(&outer, LSMPMON_HOOK_SELF, selected);
	lsmpmon_begin(&inner, LSMPMON_HOOK_SELF);
	spin();
	lsmpmon_end(SELF, 0);
	*inner_ticks = call->hook_sum - before;
	before = call->hook_sum;
	lsmpmon_end_dispatch(&outer, SELF, 0);
	*outer_ticks = call->hook_sum - before;
	preempt_enable();
	return call->hook_count - count;
}

static void time_of_nested_call_is_in_the_outer_one(struct kunit *test)
{
	u64 inner, outer;

	KUNIT_EXPECT_EQ(test, 2, nest(true, &inner, &outer));
	KUNIT_EXPECT_EQ(test, inner, 0);
	KUNIT_EXPECT_GE(test, outer, 1000);
}

/* A rejected call is not recorded, and calls inside it are. */
static void time_in_rejected_call_is_counted(struct kunit *test)
{
	u64 inner, outer;

	KUNIT_EXPECT_EQ(test, 1, nest(false, &inner, &outer));
	KUNIT_EXPECT_GE(test, inner, 1000);
	KUNIT_EXPECT_EQ(test, outer, 0);
}

/* Longer than any duration in these tests. */
#define BACK	BIT_ULL(40)

static void hook_call_without_a_time_adds_none(struct kunit *test)
{
	const struct lsmpmon_call *call = &lsmpmon_of(current)->call;
	LSMPMON_FRAME(frame);
	unsigned int count;
	u64 sum;

	preempt_disable();
	count = call->hook_count;
	sum = call->hook_sum;
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	frame.span.begin += BACK;
	lsmpmon_end(SELF, 0);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, call->hook_count, count + 1);
	KUNIT_EXPECT_EQ(test, call->hook_sum, sum);
}

static struct kunit_case calls_cases[] = {
	KUNIT_CASE(time_of_nested_call_is_in_the_outer_one),
	KUNIT_CASE(time_in_rejected_call_is_counted),
	KUNIT_CASE(hook_call_without_a_time_adds_none),
	{}
};

static struct kunit_suite calls_suite = {
	.name = "lsmpmon_calls",
	.init = calls_test_init,
	.exit = calls_test_exit,
	.test_cases = calls_cases,
};

kunit_test_suite(calls_suite);
