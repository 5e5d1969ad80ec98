// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of trace.c
 *
 * They use probes without a trace event, like those of BPF programs on raw
 * tracepoints, while measuring is off.
 */

#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/preempt.h>
#include <trace/events/lsmpmon.h>

#include "../disturbance.h"
#include "self.h"

/* A hook that the thread of the tests does not call otherwise. */
#define HOOK	LSMPMON_HOOK_settime

/* The last traced call of the hook. */
static struct {
	int calls;
	bool switched;
	bool interrupted;
} seen;

static void see(void *data, const char *hook, unsigned int modules, u64 ns,
		u64 ticks, int rc, const char *verdict, const char *syscall,
		bool switched, bool interrupted)
{
	if (hook != lsmpmon_hook_name(HOOK))
		return;
	seen.calls++;
	seen.switched = switched;
	seen.interrupted = interrupted;
}

static void traced_call(unsigned int sleep_ms)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin_detailed(&frame, HOOK);
	if (sleep_ms)
		msleep(sleep_ms);
	lsmpmon_end(LSMPMON_OFFSET(HOOK), 0);
}

/* Wait until marking is on or off; false after some seconds. */
static bool wait_for_marking(bool marking)
{
	const unsigned long end = jiffies + 10 * HZ;

	while (READ_ONCE(lsmpmon_marking) != marking &&
	       time_before(jiffies, end))
		msleep(20);
	return READ_ONCE(lsmpmon_marking) == marking;
}

static int trace_test_init(struct kunit *test)
{
	int err = self_test_init(test) ?: lsmpmon_measure(false);

	if (err)
		return err;
	if (!wait_for_marking(false))
		return -EBUSY;
	seen.calls = 0;
	return register_trace_lsm_hook_exit(see, NULL);
}

static void trace_test_exit(struct kunit *test)
{
	unregister_trace_lsm_hook_exit(see, NULL);
	tracepoint_synchronize_unregister();
	self_test_exit(test);
}

/* The first call counts as switched, since marking starts only a moment later. */
static void raw_probe_sees_switches(struct kunit *test)
{
	traced_call(20);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_TRUE(test, seen.switched);
	KUNIT_EXPECT_TRUE(test, wait_for_marking(true));
	traced_call(20);
	KUNIT_EXPECT_EQ(test, seen.calls, 2);
	KUNIT_EXPECT_TRUE(test, seen.switched);
}

static void raw_probe_sees_no_switch_where_none_is(struct kunit *test)
{
	unsigned long flags;

	KUNIT_ASSERT_TRUE(test, wait_for_marking(true));
	local_irq_save(flags);
	traced_call(0);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_FALSE(test, seen.switched);
}

/* Marking stops when there is no probe left. */
static void probes_go_with_the_last_watcher(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, wait_for_marking(true));
	unregister_trace_lsm_hook_exit(see, NULL);
	KUNIT_EXPECT_TRUE(test, wait_for_marking(false));
	KUNIT_EXPECT_EQ(test, register_trace_lsm_hook_exit(see, NULL), 0);
	KUNIT_EXPECT_TRUE(test, wait_for_marking(true));
}

static struct kunit_case trace_cases[] = {
	KUNIT_CASE(raw_probe_sees_switches),
	KUNIT_CASE(raw_probe_sees_no_switch_where_none_is),
	KUNIT_CASE(probes_go_with_the_last_watcher),
	{}
};

static struct kunit_suite trace_suite = {
	.name = "lsmpmon_trace",
	.init = trace_test_init,
	.exit = trace_test_exit,
	.test_cases = trace_cases,
};

kunit_test_suite(trace_suite);
