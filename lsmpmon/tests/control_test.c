// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of on, off, reset
 */

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>

#include "../feature.h"
#include "../inject.h"
#include "../keys.h"
#include "../memory.h"
#include "../switches.h"
#include "../table.h"
#include "self.h"

int (*lsmpmon_injected[LSMPMON_MOMENTS])(void);

struct switch_case {
	const char *text;
	size_t length;
	int expected;
};

static const struct switch_case switch_cases[] = {
	{ "0", 1, 0 },
	{ "1", 1, 1 },
	{ "0\n", 2, 0 },
	{ "1\n", 2, 1 },
	{ "", 0, -EINVAL },
	{ "\n", 1, -EINVAL },
	{ "2", 1, -EINVAL },
	{ "10", 2, -EINVAL },
	{ "1\n\n", 3, -EINVAL },
	{ "\n1", 2, -EINVAL },
	{ " 1", 2, -EINVAL },
	{ "1 ", 2, -EINVAL },
	{ "1\0", 2, -EINVAL },
	{ "\0", 1, -EINVAL },
	{ "\xff", 1, -EINVAL },
	{ "y", 1, -EINVAL },
	{ "on\n", 3, -EINVAL },
};

static void only_switches_are_taken(struct kunit *test)
{
	const struct switch_case *c;
	int i;

	for (i = 0; i < ARRAY_SIZE(switch_cases); i++) {
		c = &switch_cases[i];
		KUNIT_EXPECT_EQ_MSG(test,
				    lsmpmon_parse_switch(c->text, c->length),
				    c->expected, "case %d", i);
	}
}

static void nothing_is_counted_while_off(struct kunit *test)
{
	u64 before;

	lsmpmon_measure(false);
	before = self_cell(LSMPMON_ALLOW).count;
	empty_span();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, before);
	lsmpmon_measure(true);
	empty_span();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, before + 1);
}

static void switching_twice_is_switching_once(struct kunit *test)
{
	lsmpmon_measure(true);
	lsmpmon_measure(true);
	KUNIT_EXPECT_TRUE(test, lsmpmon_is_measuring());
	lsmpmon_measure(false);
	KUNIT_EXPECT_FALSE(test, lsmpmon_is_measuring());
	KUNIT_EXPECT_TRUE(test, lsmpmon_paused);
}

static void reset_zeroes(struct kunit *test)
{
	struct lsmpmon_cell cell;

	empty_span();
	lsmpmon_reset();
	cell = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, cell.count, 0);
	KUNIT_EXPECT_EQ(test, cell.sum, 0);
	KUNIT_EXPECT_EQ(test, cell.min, U64_MAX);
	KUNIT_EXPECT_EQ(test, cell.quiet_max, 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), 0);
	KUNIT_EXPECT_TRUE(test, lsmpmon_is_measuring());
}

/* A reader of the lines of a table. */
struct reader {
	struct completion begun, got_in;
};

static int read_lines(void *data)
{
	struct reader *r = data;
	loff_t pos = 0;

	complete(&r->begun);
	lsmpmon_hooks_start(NULL, &pos);
	complete(&r->got_in);
	lsmpmon_hooks_stop(NULL, NULL);
	return 0;
}

/* A line must not mix counters from before and after a reset. */
static void no_line_is_read_amid_a_reset(struct kunit *test)
{
	struct reader r;

	init_completion(&r.begun);
	init_completion(&r.got_in);
	lsmpmon_control_lock();
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(read_lines, &r, "reader")));
	wait_for_completion(&r.begun);
	msleep(50);
	KUNIT_EXPECT_FALSE(test, completion_done(&r.got_in));
	lsmpmon_control_unlock();
	wait_for_completion(&r.got_in);
}

static void reset_while_off_keeps_off(struct kunit *test)
{
	lsmpmon_measure(false);
	lsmpmon_reset();
	KUNIT_EXPECT_TRUE(test, lsmpmon_paused);
	KUNIT_EXPECT_EQ(test, lsmpmon_enabled_ns(), 0);
}

/* mdelay() may be too short where loops are not calibrated well. */
static void wait_for_a_millisecond(void)
{
	const u64 begin = ktime_get_ns();

	while (ktime_get_ns() - begin < NSEC_PER_MSEC)
		cpu_relax();
}

static void time_of_measuring_stands_still_while_off(struct kunit *test)
{
	u64 then;

	lsmpmon_reset();
	wait_for_a_millisecond();
	then = lsmpmon_enabled_ns();
	KUNIT_EXPECT_GE(test, then, NSEC_PER_MSEC);
	lsmpmon_measure(false);
	then = lsmpmon_enabled_ns();
	wait_for_a_millisecond();
	KUNIT_EXPECT_EQ(test, lsmpmon_enabled_ns(), then);
}

#if LSMPMON_HAS_CALLS
static int no_memory(void)
{
	return -ENOMEM;
}
#endif

/* A switch that fails changes nothing, not even counters. */
static void feature_that_fails_changes_nothing(struct kunit *test)
{
#if LSMPMON_HAS_CALLS
	const size_t memory = lsmpmon_memory();
	u64 count, ns;
	int err;

	empty_span();
	count = self_cell(LSMPMON_ALLOW).count;
	ns = lsmpmon_enabled_ns();
	WRITE_ONCE(lsmpmon_injected[LSMPMON_REGISTERING], no_memory);
	err = lsmpmon_feature_switch(LSMPMON_FEATURE_CALLS, true);
	WRITE_ONCE(lsmpmon_injected[LSMPMON_REGISTERING], NULL);
	KUNIT_EXPECT_EQ(test, err, -ENOMEM);
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&lsmpmon_calls_on));
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, count);
	KUNIT_EXPECT_GE(test, lsmpmon_enabled_ns(), ns);
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(), memory);
#else
	kunit_skip(test, "no system call tracepoints on this architecture");
#endif
}

static struct kunit_case control_cases[] = {
	KUNIT_CASE(only_switches_are_taken),
	KUNIT_CASE(nothing_is_counted_while_off),
	KUNIT_CASE(switching_twice_is_switching_once),
	KUNIT_CASE(reset_zeroes),
	KUNIT_CASE(no_line_is_read_amid_a_reset),
	KUNIT_CASE(reset_while_off_keeps_off),
	KUNIT_CASE(time_of_measuring_stands_still_while_off),
	KUNIT_CASE(feature_that_fails_changes_nothing),
	{}
};

static struct kunit_suite control_suite = {
	.name = "lsmpmon_control",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = control_cases,
};

kunit_test_suite(control_suite);
