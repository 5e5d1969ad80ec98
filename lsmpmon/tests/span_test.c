// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of span.c
 */

#include <linux/preempt.h>

#include "../clock.h"
#include "self.h"

static void every_span_counts(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct lsmpmon_cell after;
	int i;

	for (i = 0; i < 10007; i++)
		empty_span();
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.count + after.cs_count,
			before.count + before.cs_count + 10007);
	KUNIT_EXPECT_LE(test, after.min * 10007, after.sum);
	KUNIT_EXPECT_GE(test, lsmpmon_cell_max(&after), after.min);
}

/* The span lasts at least its content and at most what encloses it. */
static void span_is_as_long_as_its_content(struct kunit *test)
{
	const u64 content = 100000;
	struct lsmpmon_cell before, after;
	u64 enclosing, begin, took;

	preempt_disable();
	before = self_cell(LSMPMON_ALLOW);
	enclosing = lsmpmon_clock();
	lsmpmon_enter();
	begin = lsmpmon_clock();
	while (lsmpmon_clock() - begin < content)
		cpu_relax();
	lsmpmon_exit(SELF, 0);
	enclosing = lsmpmon_clock() - enclosing;
	after = self_cell(LSMPMON_ALLOW);
	preempt_enable();

	took = after.sum - before.sum;
	KUNIT_EXPECT_EQ(test, after.count, before.count + 1);
	KUNIT_EXPECT_GE(test, took, content);
	KUNIT_EXPECT_LE(test, took, enclosing);
}

static void verdicts_are_apart(struct kunit *test)
{
	const u64 allowed = self_cell(LSMPMON_ALLOW).count;
	const u64 denied = self_cell(LSMPMON_DENY).count;

	preempt_disable();
	lsmpmon_enter();
	KUNIT_EXPECT_EQ(test, lsmpmon_exit(SELF, -EACCES), -EACCES);
	lsmpmon_enter();
	KUNIT_EXPECT_EQ(test, lsmpmon_exit(SELF, 1), 1);
	lsmpmon_enter();
	KUNIT_EXPECT_EQ(test, lsmpmon_exit(SELF, -ECHILD), -ECHILD);
	lsmpmon_enter();
	KUNIT_EXPECT_EQ(test, lsmpmon_exit_default(SELF, -EOPNOTSUPP,
						   -EOPNOTSUPP), -EOPNOTSUPP);
	lsmpmon_enter();
	KUNIT_EXPECT_EQ(test, lsmpmon_exit_default(SELF, 0, -EOPNOTSUPP), 0);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, allowed + 4);
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_DENY).count, denied + 1);
}

static void loop_has_the_last_verdict(struct kunit *test)
{
	const u64 allowed = self_cell(LSMPMON_ALLOW).count;
	const u64 denied = self_cell(LSMPMON_DENY).count;

	preempt_disable();
	lsmpmon_loop_enter();	/* no callback */
	lsmpmon_loop_exit(SELF);
	lsmpmon_loop_enter();
	lsmpmon_loop_note(-EPERM);
	empty_span();		/* as a hook called by a callback */
	lsmpmon_loop_exit(SELF);
	lsmpmon_loop_enter();
	lsmpmon_loop_note(-EPERM);
	lsmpmon_loop_note(0);
	lsmpmon_loop_exit(SELF);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, allowed + 3);
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_DENY).count, denied + 1);
}

static void nested_spans_all_count(struct kunit *test)
{
	const u64 before = self_cell(LSMPMON_ALLOW).count;
	const u64 lost = lsmpmon_lost();
	int i;

	preempt_disable();
	for (i = 0; i < LSMPMON_DEPTH; i++)
		lsmpmon_enter();
	for (i = 0; i < LSMPMON_DEPTH; i++)
		lsmpmon_exit(SELF, 0);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count,
			before + LSMPMON_DEPTH);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost);
}

static void too_deep_spans_are_lost(struct kunit *test)
{
	const struct lsmpmon_task *t = &current->lsmpmon;
	const u64 before = self_cell(LSMPMON_ALLOW).count;
	const u64 lost = lsmpmon_lost();
	const unsigned long top = t->top;
	int i;

	preempt_disable();
	for (i = 0; i < LSMPMON_DEPTH + 5; i++)
		lsmpmon_enter();
	for (i = 0; i < LSMPMON_DEPTH + 5; i++)
		KUNIT_EXPECT_EQ(test, lsmpmon_exit(SELF, 3), 3);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count,
			before + LSMPMON_DEPTH);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost + 5);
	KUNIT_EXPECT_EQ(test, t->top, top);
	KUNIT_EXPECT_EQ(test, t->mark, 0);
}

static struct kunit_case span_cases[] = {
	KUNIT_CASE(every_span_counts),
	KUNIT_CASE(span_is_as_long_as_its_content),
	KUNIT_CASE(verdicts_are_apart),
	KUNIT_CASE(loop_has_the_last_verdict),
	KUNIT_CASE(nested_spans_all_count),
	KUNIT_CASE(too_deep_spans_are_lost),
	{}
};

static struct kunit_suite span_suite = {
	.name = "lsmpmon_span",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = span_cases,
};

kunit_test_suite(span_suite);
