// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of outer.c
 *
 * Calls of LSMPMON_HOOK_SELF are nested in those of a hook that nothing else calls.
 */

#include <linux/fs.h>

#include "../feature.h"
#include "../inject.h"
#include "../line.h"
#include "../outer.h"
#include "../snapshot.h"
#include "../stack.h"
#include "self.h"
#include "strike.h"

#define HOOK	LSMPMON_HOOK_settime
#define OFFSET	LSMPMON_OFFSET(HOOK)

static int nested_test_init(struct kunit *test)
{
	return self_test_init(test) ?: lsmpmon_feature_switch(LSMPMON_FEATURE_NESTED, true);
}

static void nested_test_exit(struct kunit *test)
{
	lsmpmon_feature_switch(LSMPMON_FEATURE_NESTED, false);
	self_test_exit(test);
}

/* Column of calls outside of any other. */
static unsigned int outermost(void)
{
	return lsmpmon_places[LSMPMON_BY_OUTER]->columns - LSMPMON_FIXED;
}

/* Number of calls of a hook that are nested in what a column stands for. */
static u64 nested(unsigned int hook, unsigned int column)
{
	struct lsmpmon_pair pair = { .min = U64_MAX };

	lsmpmon_pair_read(LSMPMON_BY_OUTER, hook, column, &pair);
	return pair.count + pair.cs_count;
}

static u64 selves(unsigned int column)
{
	return nested(LSMPMON_HOOK_SELF, column);
}

static void outermost_calls_are_in_none(struct kunit *test)
{
	empty_span();
	KUNIT_EXPECT_EQ(test, selves(outermost()), 1);
	KUNIT_EXPECT_EQ(test, selves(HOOK), 0);
}

static void inner_calls_are_in_the_nearest(struct kunit *test)
{
	LSMPMON_FRAME(outer);
	LSMPMON_FRAME(middle);

	lsmpmon_begin(&outer, HOOK);
	empty_span();
	lsmpmon_begin(&middle, LSMPMON_HOOK_SELF);
	empty_span();
	lsmpmon_end(SELF, -EACCES);
	lsmpmon_end(OFFSET, 0);
	KUNIT_EXPECT_EQ(test, selves(HOOK), 2);
	KUNIT_EXPECT_EQ(test, selves(LSMPMON_HOOK_SELF), 1);
	KUNIT_EXPECT_EQ(test, selves(outermost()), 0);
	KUNIT_EXPECT_EQ(test, nested(HOOK, outermost()), 1);
}

static void rejected_calls_are_passed_over(struct kunit *test)
{
	LSMPMON_FRAME(outer);
	LSMPMON_FRAME(rejected);

	use_filter_once();
	lsmpmon_begin(&outer, HOOK);
	lsmpmon_begin_decided(&rejected, LSMPMON_HOOK_SELF, false);
	empty_span();
	end_rejected(&rejected, 0);
	lsmpmon_end(OFFSET, 0);
	KUNIT_EXPECT_EQ(test, selves(HOOK), 1);
	KUNIT_EXPECT_EQ(test, selves(LSMPMON_HOOK_SELF), 0);
	lsmpmon_begin_decided(&rejected, LSMPMON_HOOK_SELF, false);
	empty_span();
	end_rejected(&rejected, 0);
	KUNIT_EXPECT_EQ(test, selves(outermost()), 1);
}

/* The first callback that has a row in the table; LSMPMON_CALLBACKS if there is none. */
static unsigned int some_callback(void)
{
	unsigned int callback = 0;

	while (callback < LSMPMON_CALLBACKS && !lsmpmon_stack_row(callback))
		callback++;
	return callback;
}

static void inner_calls_are_in_a_measured_callback(struct kunit *test)
{
	const unsigned int callback = some_callback(), hook = callback / LSMPMON_PLACES;
	const unsigned int column = LSMPMON_CELLS + lsmpmon_stack_row(callback) - 1;
	unsigned int found;
	LSMPMON_FRAME(frame);

	if (callback == LSMPMON_CALLBACKS)
		kunit_skip(test, "no module has a callback");
	KUNIT_ASSERT_EQ(test, lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, true), 0);
	lsmpmon_begin_decided(&frame, hook, true);
	empty_span();
	lsmpmon_callback_at(&frame, callback % LSMPMON_PLACES);
	empty_span();
	lsmpmon_end_callback(&frame, 0);
	empty_span();
	lsmpmon_end(LSMPMON_OFFSET(hook), 0);
	KUNIT_EXPECT_EQ(test, selves(hook), 2);
	KUNIT_EXPECT_EQ(test, selves(column), 1);
	KUNIT_EXPECT_TRUE(test, lsmpmon_outer_callback(column, &found));
	KUNIT_EXPECT_EQ(test, found, callback);
	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, false);
}

static void call_a_hook(struct striker *s)
{
	empty_span();
}

/* What is interrupted does not have the time of the interrupt. */
static void interrupts_are_in_none(struct kunit *test)
{
	static const enum hrtimer_mode modes[] = {
		HRTIMER_MODE_REL_PINNED_HARD, HRTIMER_MODE_REL_PINNED_SOFT,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		struct striker s = { .act = call_a_hook };
		LSMPMON_FRAME(frame);
		bool struck;

		migrate_disable();
		lsmpmon_begin(&frame, HOOK);
		struck = be_struck(&s, modes[i]);
		lsmpmon_end(OFFSET, 0);
		migrate_enable();
		KUNIT_ASSERT_TRUE(test, struck);
		KUNIT_EXPECT_EQ(test, selves(outermost()), i + 1);
		KUNIT_EXPECT_EQ(test, selves(HOOK), 0);
	}
}

/* More pairs than a snapshot has spare lines. */
#define LATE	100

static int make_late_pairs(void)
{
	LSMPMON_FRAME(outer);
	unsigned int hook;

	for (hook = 0; hook < LATE; hook++) {
		lsmpmon_begin(&outer, hook);
		empty_span();
		lsmpmon_end(LSMPMON_OFFSET(hook), 0);
	}
	return 0;
}

/* Lines of calls of SELF that are nested in one of the first hooks. */
static unsigned int late_lines(const struct lsmpmon_snapshot *s)
{
	unsigned int i, lines = 0;

	for (i = 0; i < s->count; i++)
		lines += s->line[i].row == LSMPMON_HOOK_SELF && s->line[i].column < LATE;
	return lines;
}

/* A table that grows while it is copied is copied whole. */
static void snapshot_has_what_came_meanwhile(struct kunit *test)
{
	static const struct seq_operations none;
	struct file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	struct seq_file *m;
	loff_t start = 0;

	KUNIT_ASSERT_NOT_NULL(test, file);
	KUNIT_ASSERT_EQ(test, lsmpmon_open_snapshot(file, LSMPMON_BY_OUTER, &none), 0);
	m = file->private_data;
	WRITE_ONCE(lsmpmon_injected[LSMPMON_COPYING], make_late_pairs);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_snapshot_start(m, &start), SEQ_START_TOKEN);
	WRITE_ONCE(lsmpmon_injected[LSMPMON_COPYING], NULL);
	KUNIT_EXPECT_EQ(test, late_lines(m->private), LATE);
	lsmpmon_release_snapshot(NULL, file);
}

static struct kunit_case nested_cases[] = {
	KUNIT_CASE(outermost_calls_are_in_none),
	KUNIT_CASE(inner_calls_are_in_the_nearest),
	KUNIT_CASE(rejected_calls_are_passed_over),
	KUNIT_CASE(inner_calls_are_in_a_measured_callback),
	KUNIT_CASE(interrupts_are_in_none),
	KUNIT_CASE(snapshot_has_what_came_meanwhile),
	{}
};

static struct kunit_suite nested_suite = {
	.name = "lsmpmon_nested",
	.init = nested_test_init,
	.exit = nested_test_exit,
	.test_cases = nested_cases,
};

kunit_test_suite(nested_suite);
