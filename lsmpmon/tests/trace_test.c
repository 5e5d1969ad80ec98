// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of trace.c
 *
 * The probes have no trace event, like those of BPF programs on raw tracepoints, and
 * measuring is off.
 */

#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/preempt.h>
#include <trace/events/lsmpmon.h>

#include "../disturbance.h"
#include "../hook.h"
#include "../operation.h"
#include "self.h"
#include "sleep.h"
#include "trace_names.h"

/* A hook that the thread of the tests does not call otherwise. */
#define HOOK	LSMPMON_HOOK_settime

/* The last traced call of the hook. */
static struct {
	int calls;
	struct lsmpmon_event event;
} seen;

static void see(void *data, const struct lsmpmon_event *event)
{
	if (event->hook != HOOK)
		return;
	seen.calls++;
	seen.event = *event;
}

static bool seen_switched(void)
{
	return seen.event.disturbed & LSMPMON_TRACE_SWITCHED;
}

static void traced_call_of(struct known_sleep *s, int rc)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin_detailed(&frame, HOOK);
	if (s)
		sleep_as_known(s);
	lsmpmon_end(LSMPMON_OFFSET(HOOK), rc);
}

static void traced_call(void)
{
	traced_call_of(NULL, 0);
}

/* Return for how long the call slept at least, in ticks. */
static u64 traced_call_that_sleeps(struct kunit *test)
{
	struct known_sleep s;

	prepare_sleep(test, &s);
	traced_call_of(&s, 0);
	return s.ticks;
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
	traced_call_that_sleeps(test);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_TRUE(test, seen_switched());
	KUNIT_EXPECT_TRUE(test, wait_for_marking(true));
	traced_call_that_sleeps(test);
	KUNIT_EXPECT_EQ(test, seen.calls, 2);
	KUNIT_EXPECT_TRUE(test, seen_switched());
}

static void raw_probe_sees_times(struct kunit *test)
{
	u64 ticks;

	KUNIT_ASSERT_TRUE(test, wait_for_marking(true));
	ticks = traced_call_that_sleeps(test);
	KUNIT_EXPECT_EQ(test, seen.event.disturbed, LSMPMON_TRACE_SWITCHED);
	KUNIT_EXPECT_GE(test, seen.event.slept, lsmpmon_ticks_to_ns(ticks));
	KUNIT_EXPECT_GT(test, seen.event.own, 0);
	/* Each of them is rounded down. */
	KUNIT_EXPECT_LE(test, seen.event.own + seen.event.slept + seen.event.preempted,
			seen.event.ns);
}

static void raw_probe_sees_what_was_called(struct kunit *test)
{
	LSMPMON_FRAME(outer);

	traced_call_of(NULL, -EACCES);
	KUNIT_EXPECT_EQ(test, seen.event.func, (unsigned long)lsmpmon_call_settime);
	KUNIT_EXPECT_EQ(test, seen.event.rc, -EACCES);
	KUNIT_EXPECT_EQ(test, seen.event.verdict, LSMPMON_TRACE_DENY);
	KUNIT_EXPECT_EQ(test, seen.event.syscall, LSMPMON_TRACE_NO_CALL);
	KUNIT_EXPECT_EQ(test, seen.event.depth, 0);
	lsmpmon_begin_detailed(&outer, LSMPMON_HOOK_capable);
	traced_call();
	lsmpmon_end(LSMPMON_OFFSET(LSMPMON_HOOK_capable), 0);
	KUNIT_EXPECT_EQ(test, seen.event.verdict, LSMPMON_TRACE_ALLOW);
	KUNIT_EXPECT_EQ(test, seen.event.depth, 1);
}

static void see_enter(void *data, const struct lsmpmon_event *event)
{
	if (event->hook == HOOK)
		*(struct lsmpmon_event *)data = *event;
}

/* A probe is shown nothing that was on the stack before. */
static void raw_probe_sees_the_beginning(struct kunit *test)
{
	struct lsmpmon_event event = { .ns = 1 };

	KUNIT_ASSERT_EQ(test, register_trace_lsm_hook_enter(see_enter, &event), 0);
	traced_call();
	unregister_trace_lsm_hook_enter(see_enter, &event);
	tracepoint_synchronize_unregister();
	KUNIT_EXPECT_EQ(test, event.func, (unsigned long)lsmpmon_call_settime);
	KUNIT_EXPECT_EQ(test, event.hook, HOOK);
	KUNIT_EXPECT_EQ(test, event.depth, 0);
	KUNIT_EXPECT_EQ(test, event.ns | event.own | event.slept | event.preempted, 0);
	KUNIT_EXPECT_EQ(test, event.rc | event.syscall | event.verdict | event.disturbed, 0);
}

/* What lsm_hook_object and lsm_hook_exit had of the last call of the hook. */
static struct {
	unsigned long long ns;
	int exits;
	char object[32];
} named;

static void see_object(void *data, const struct lsmpmon_event *event,
		       const char *object)
{
	if (event->hook != HOOK)
		return;
	named.ns = event->ns;
	named.exits = seen.calls;
	strscpy(named.object, object, sizeof(named.object));
}

static void call_with_name(const char *name)
{
	const struct qstr qstr = { .name = name };
	LSMPMON_FRAME(frame);

	begin_noted(&frame, HOOK, true,
		    name ? LSMPMON_BEST_OBJECT(&qstr) : (struct lsmpmon_noted){ });
	lsmpmon_end(LSMPMON_OFFSET(HOOK), 0);
}

static void raw_probe_sees_objects(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, register_trace_lsm_hook_object(see_object, NULL), 0);
	call_with_name("a\nname");
	/* It comes before lsm_hook_exit of the same call. */
	KUNIT_EXPECT_EQ(test, named.exits, seen.calls - 1);
	KUNIT_EXPECT_EQ(test, named.ns, seen.event.ns);
	KUNIT_EXPECT_STREQ(test, named.object, "a\\012name");
	call_with_name(NULL);
	KUNIT_EXPECT_STREQ(test, named.object, "-");
	unregister_trace_lsm_hook_object(see_object, NULL);
	tracepoint_synchronize_unregister();
	call_with_name("later");
	KUNIT_EXPECT_STREQ(test, named.object, "-");
	KUNIT_EXPECT_EQ(test, seen.calls, 3);
}

/* A list of names in the format of an event. */
struct named {
	unsigned int number;
	const char *name;
};

static void each_hook_has_its_name(struct kunit *test)
{
	static const struct named hooks[] = { LSMPMON_TRACE_HOOKS };
	unsigned int i;

	KUNIT_ASSERT_EQ(test, ARRAY_SIZE(hooks), LSMPMON_HOOKS);
	for (i = 0; i < LSMPMON_HOOKS; i++) {
		KUNIT_EXPECT_EQ(test, hooks[i].number, i);
		KUNIT_EXPECT_STREQ(test, hooks[i].name, lsmpmon_hook_name(i));
	}
}

static unsigned int operation_of(unsigned int number)
{
	if (number == LSMPMON_TRACE_NO_CALL)
		return LSMPMON_NO_OPERATION;
	if (number >= LSMPMON_TRACE_URING)
		return LSMPMON_URING + number - LSMPMON_TRACE_URING;
	if (number >= LSMPMON_TRACE_COMPAT)
		return LSMPMON_COMPAT + number - LSMPMON_TRACE_COMPAT;
	return number;
}

static void each_system_call_has_its_name(struct kunit *test)
{
	static const struct named calls[] = { LSMPMON_TRACE_CALLS };
	char name[LSMPMON_OPERATION_NAME];
	unsigned int i, urings = 0;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		lsmpmon_operation_name(operation_of(calls[i].number), name, sizeof(name));
		KUNIT_EXPECT_STREQ(test, calls[i].name, name);
		urings += operation_of(calls[i].number) >= LSMPMON_URING;
	}
	/* And LSMPMON_NO_OPERATION. */
	KUNIT_EXPECT_EQ(test, urings, IORING_OP_LAST + 1);
}

static void raw_probe_sees_no_switch_where_none_is(struct kunit *test)
{
	unsigned long flags;

	KUNIT_ASSERT_TRUE(test, wait_for_marking(true));
	local_irq_save(flags);
	traced_call();
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, seen.calls, 1);
	KUNIT_EXPECT_FALSE(test, seen_switched());
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
	KUNIT_CASE(each_hook_has_its_name),
	KUNIT_CASE(each_system_call_has_its_name),
	KUNIT_CASE(raw_probe_sees_switches),
	KUNIT_CASE(raw_probe_sees_times),
	KUNIT_CASE(raw_probe_sees_what_was_called),
	KUNIT_CASE(raw_probe_sees_the_beginning),
	KUNIT_CASE(raw_probe_sees_objects),
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
