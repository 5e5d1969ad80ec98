// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of the detailed path
 *
 * They measure a callback at the last place of the last hook, which no module uses,
 * so that no other calls are counted there.
 */

#include <linux/delay.h>

#include "../feature.h"
#include "self.h"

#define HOOK		(LSMPMON_HOOKS - 1)
#define OFFSET		LSMPMON_OFFSET(HOOK)
#define PLACE		(LSMPMON_PLACES - 1)
#define CALLBACK	(HOOK * LSMPMON_PLACES + PLACE)

static int callback_test_init(struct kunit *test)
{
	self_test_init(test);
	return lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, true);
}

static void callback_test_exit(struct kunit *test)
{
	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, false);
	self_test_exit(test);
}

static struct lsmpmon_cell callback_cell(enum lsmpmon_verdict verdict)
{
	struct lsmpmon_cell total = { .min = U64_MAX }, copy;
	struct lsmpmon_cpu *c;
	int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		if (!c->callback)
			continue;
		lsmpmon_copy(c, &c->callback[CALLBACK][verdict], &copy,
			     sizeof(copy));
		lsmpmon_cell_add(&total, &copy);
	}
	return total;
}

/* A function of its own: a test that reads counts often has no cell for each on its stack. */
static noinline_for_stack u64 callback_count(enum lsmpmon_verdict verdict)
{
	return callback_cell(verdict).count;
}

static void hook_with_callback(int rc)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin_decided(&frame, HOOK, true);
	lsmpmon_callback_at(&frame, PLACE);
	lsmpmon_end(OFFSET, rc);
}

static void callback_is_inside_its_hook(struct kunit *test)
{
	struct lsmpmon_cell hook_before, hook_after, before, after;

	lsmpmon_cell_read(HOOK, LSMPMON_ALLOW, &hook_before);
	before = callback_cell(LSMPMON_ALLOW);
	preempt_disable();
	hook_with_callback(0);
	preempt_enable();
	lsmpmon_cell_read(HOOK, LSMPMON_ALLOW, &hook_after);
	after = callback_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, hook_after.count, hook_before.count + 1);
	KUNIT_EXPECT_EQ(test, after.count, before.count + 1);
	KUNIT_EXPECT_LT(test, after.sum - before.sum,
			hook_after.sum - hook_before.sum);
}

static void denial_is_the_callbacks(struct kunit *test)
{
	const u64 before = callback_count(LSMPMON_DENY);

	preempt_disable();
	hook_with_callback(-EACCES);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, callback_count(LSMPMON_DENY), before + 1);
}

/* Including callbacks that had ended before: the duration of their hook is not counted. */
static void switch_is_the_callbacks_too(struct kunit *test)
{
	const struct lsmpmon_cell before = callback_cell(LSMPMON_ALLOW);
	struct lsmpmon_cell after;
	LSMPMON_FRAME(frame);

	lsmpmon_begin_decided(&frame, HOOK, true);
	lsmpmon_callback_at(&frame, PLACE);
	lsmpmon_end_callback(&frame, 0);
	msleep(20);
	lsmpmon_end(OFFSET, 0);
	after = callback_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.cs_count, before.cs_count + 1);
	KUNIT_EXPECT_EQ(test, after.count, before.count);
	KUNIT_EXPECT_EQ(test, after.sum, before.sum);
}

static void all_callbacks_of_a_call_are_recorded(struct kunit *test)
{
	const u64 before = callback_count(LSMPMON_ALLOW);
	const u64 denied = callback_count(LSMPMON_DENY);

	LSMPMON_FRAME(frame);

	preempt_disable();
	lsmpmon_begin_decided(&frame, HOOK, true);
	lsmpmon_callback_at(&frame, PLACE);
	hook_with_callback(0);
	lsmpmon_callback_at(&frame, PLACE);
	hook_with_callback(0);
	KUNIT_EXPECT_EQ(test, callback_count(LSMPMON_ALLOW), before + 2);
	lsmpmon_end(OFFSET, -EPERM);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, callback_count(LSMPMON_ALLOW), before + 3);
	KUNIT_EXPECT_EQ(test, callback_count(LSMPMON_DENY), denied + 1);
}

static void what_is_not_selected_is_not_recorded(struct kunit *test)
{
	const u64 before = callback_count(LSMPMON_ALLOW);
	const struct lsmpmon_span *outermost = lsmpmon_of(current)->span;
	struct lsmpmon_cell hook_before, hook_after;
	LSMPMON_FRAME(frame);

	use_filter_once();
	lsmpmon_cell_read(HOOK, LSMPMON_ALLOW, &hook_before);
	preempt_disable();
	lsmpmon_begin_decided(&frame, HOOK, false);
	lsmpmon_callback_at(&frame, PLACE);
	lsmpmon_end_dispatch(&frame, OFFSET, 0);
	preempt_enable();
	lsmpmon_cell_read(HOOK, LSMPMON_ALLOW, &hook_after);
	KUNIT_EXPECT_EQ(test, hook_after.count, hook_before.count);
	KUNIT_EXPECT_EQ(test, callback_count(LSMPMON_ALLOW), before);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_of(current)->span, outermost);
}

static void feature_off_measures_no_callback(struct kunit *test)
{
	const struct lsmpmon_span *outermost = lsmpmon_of(current)->span;
	u64 before;

	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, false);
	before = callback_count(LSMPMON_ALLOW);
	hook_with_callback(0);
	KUNIT_EXPECT_EQ(test, callback_count(LSMPMON_ALLOW), before);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_of(current)->span, outermost);
}

/* Whether callbacks are measured is decided when the hook call begins. */
static void switching_inside_a_hook_call_is_harmless(struct kunit *test)
{
	const struct lsmpmon_span *outermost = lsmpmon_of(current)->span;
	LSMPMON_FRAME(frame);

	lsmpmon_begin_decided(&frame, HOOK, true);
	lsmpmon_callback_at(&frame, PLACE);
	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, false);
	lsmpmon_callback_at(&frame, PLACE);
	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, true);
	lsmpmon_end(OFFSET, 0);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_of(current)->span, outermost);

	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, false);
	lsmpmon_begin_decided(&frame, HOOK, true);
	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, true);
	lsmpmon_callback_at(&frame, PLACE);
	lsmpmon_end(OFFSET, 0);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_of(current)->span, outermost);

	lsmpmon_begin_decided(&frame, HOOK, true);
	lsmpmon_callback_at(&frame, PLACE);
	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, false);
	lsmpmon_end(OFFSET, 0);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_of(current)->span, outermost);
}

/* Callbacks beyond the number of modules are counted as lost. */
static void surplus_callbacks_are_lost(struct kunit *test)
{
	const u64 before = callback_count(LSMPMON_ALLOW);
	const u64 lost = lsmpmon_lost();
	LSMPMON_FRAME(frame);
	int i;

	preempt_disable();
	lsmpmon_begin_decided(&frame, HOOK, true);
	for (i = 0; i < LSMPMON_PLACES + 5; i++)
		lsmpmon_callback_at(&frame, PLACE);
	lsmpmon_end(OFFSET, 0);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, callback_count(LSMPMON_ALLOW),
			before + LSMPMON_PLACES);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost + 5);
}

/* Longer than any duration in these tests. */
#define BACK	BIT_ULL(40)

enum back { BACK_IN_CALL, BACK_IN_CALLBACK, BACK_IN_ENDED_CALLBACK };

/* A hook call in which the clock goes back. */
static void hook_backwards(enum back where)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin_decided(&frame, HOOK, true);
	lsmpmon_callback_at(&frame, PLACE);
	if (where == BACK_IN_CALL)
		frame.span.begin += BACK;
	else
		frame.callback->ticks += BACK;
	if (where == BACK_IN_ENDED_CALLBACK)
		lsmpmon_end_callback(&frame, 0);
	lsmpmon_end(OFFSET, 0);
}

/* What has no valid duration counts in cs_count: the call and its callbacks, or one. */
static void clock_went_back(struct kunit *test, enum back where)
{
	const u64 call = where == BACK_IN_CALL;
	struct lsmpmon_cell hook, before, hook_after, after;
	u64 backwards;

	preempt_disable();
	hook_with_callback(0);
	preempt_enable();
	backwards = lsmpmon_backwards();
	lsmpmon_cell_read(HOOK, LSMPMON_ALLOW, &hook);
	before = callback_cell(LSMPMON_ALLOW);
	preempt_disable();
	hook_backwards(where);
	preempt_enable();
	lsmpmon_cell_read(HOOK, LSMPMON_ALLOW, &hook_after);
	after = callback_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, hook_after.count, hook.count + !call);
	KUNIT_EXPECT_EQ(test, hook_after.cs_count, hook.cs_count + call);
	KUNIT_EXPECT_LT(test, hook_after.sum - hook.sum, BACK);
	KUNIT_EXPECT_LT(test, lsmpmon_cell_max(&hook_after), BACK);
	before.cs_count++;
	before.times.unknown++;
	KUNIT_EXPECT_EQ(test, memcmp(&before, &after, sizeof(after)), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_backwards(), backwards + 1);
}

static void clock_that_went_back_is_no_time(struct kunit *test)
{
	clock_went_back(test, BACK_IN_CALL);
	clock_went_back(test, BACK_IN_CALLBACK);
	clock_went_back(test, BACK_IN_ENDED_CALLBACK);
}

struct feature_case {
	const char *text;
	int feature;
	unsigned int value;
};

static const struct feature_case feature_cases[] = {
	{ "syscall 1", LSMPMON_FEATURE_SYSCALL, 1 },
	{ "module 0", LSMPMON_FEATURE_MODULE, 0 },
	{ "histogram 1\n", LSMPMON_FEATURE_HISTOGRAM, 1 },
	{ "waits 1", LSMPMON_FEATURE_WAITS, 1 },
	{ "timed 0", LSMPMON_FEATURE_TIMED, 1 },
	{ "timed 1", LSMPMON_FEATURE_TIMED, 1 },
	{ "timed 2\n", LSMPMON_FEATURE_TIMED, 2 },
	{ "timed 64", LSMPMON_FEATURE_TIMED, 64 },
	{ "timed 65536", LSMPMON_FEATURE_TIMED, 65536 },
	{ "timed", -EINVAL }, { "timed ", -EINVAL },
	{ "timed 3", -EINVAL }, { "timed 63", -EINVAL },
	{ "timed -2", -EINVAL }, { "timed +2", -EINVAL },
	{ "timed 02", -EINVAL }, { "timed 0x2", -EINVAL },
	{ "timed 2 ", -EINVAL }, { "timed  2", -EINVAL },
	{ "timed 131072", -EINVAL }, { "timed 4294967298", -EINVAL },
	{ "syscall 01", -EINVAL }, { "syscall -1", -EINVAL },
	{ "syscall +1", -EINVAL }, { "syscall 1\n1", -EINVAL },
	{ "", -EINVAL }, { " ", -EINVAL }, { " 1", -EINVAL },
	{ "syscall", -EINVAL }, { "syscall ", -EINVAL },
	{ "syscall 2", -EINVAL }, { "syscall 1 ", -EINVAL },
	{ "syscall  1", -EINVAL }, { "syscall 10", -EINVAL },
	{ "syscal 1", -EINVAL }, { "syscalls 1", -EINVAL },
	{ "Syscall 1", -EINVAL }, { "syscall\n1", -EINVAL },
	{ "syscall 1\n\n", -EINVAL }, { "\nsyscall 1", -EINVAL },
};

static void only_features_are_taken(struct kunit *test)
{
	const struct feature_case *c;
	unsigned int value;
	char text[32];
	int i;

	for (i = 0; i < ARRAY_SIZE(feature_cases); i++) {
		c = &feature_cases[i];
		strscpy(text, c->text, sizeof(text));
		KUNIT_EXPECT_EQ_MSG(test, lsmpmon_parse_feature(text, &value),
				    c->feature, "case %d", i);
		if (c->feature >= 0)
			KUNIT_EXPECT_EQ(test, value, c->value);
	}
}

/* Functions called by name may return anything. */
#ifdef LSMPMON_SCOPES
static void only_errors_are_verdicts(struct kunit *test)
{
	/* Negative if cut to an int, as many addresses are. */
	const unsigned long high = -1UL << 31;

	KUNIT_EXPECT_EQ(test, LSMPMON_VERDICT_OF(-EACCES), -EACCES);
	KUNIT_EXPECT_EQ(test, LSMPMON_VERDICT_OF(INT_MIN), INT_MIN);
	KUNIT_EXPECT_EQ(test, LSMPMON_VERDICT_OF(1), 1);
	KUNIT_EXPECT_EQ(test, LSMPMON_VERDICT_OF(-EACCES + 0L), -EACCES);
	KUNIT_EXPECT_EQ(test, LSMPMON_VERDICT_OF(ERR_PTR(-EACCES)), -EACCES);
	KUNIT_EXPECT_EQ(test, LSMPMON_VERDICT_OF((void *)NULL), 0);
	KUNIT_EXPECT_EQ(test, LSMPMON_VERDICT_OF(high), 0);
	KUNIT_EXPECT_EQ(test, LSMPMON_VERDICT_OF((void *)high), 0);
}
#else
static void only_errors_are_verdicts(struct kunit *test)
{
	kunit_skip(test, "no function is called by name in this kernel");
}
#endif

static struct kunit_case callback_cases[] = {
	KUNIT_CASE(callback_is_inside_its_hook),
	KUNIT_CASE(denial_is_the_callbacks),
	KUNIT_CASE(switch_is_the_callbacks_too),
	KUNIT_CASE(all_callbacks_of_a_call_are_recorded),
	KUNIT_CASE(what_is_not_selected_is_not_recorded),
	KUNIT_CASE(feature_off_measures_no_callback),
	KUNIT_CASE(switching_inside_a_hook_call_is_harmless),
	KUNIT_CASE(surplus_callbacks_are_lost),
	KUNIT_CASE(clock_that_went_back_is_no_time),
	KUNIT_CASE(only_features_are_taken),
	KUNIT_CASE(only_errors_are_verdicts),
	{}
};

static struct kunit_suite callback_suite = {
	.name = "lsmpmon_callback",
	.init = callback_test_init,
	.exit = callback_test_exit,
	.test_cases = callback_cases,
};

kunit_test_suite(callback_suite);
