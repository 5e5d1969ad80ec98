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
	LSMPMON_FRAME(frame);

	preempt_disable();
	before = self_cell(LSMPMON_ALLOW);
	enclosing = lsmpmon_clock();
	lsmpmon_begin(&frame);
	begin = lsmpmon_clock();
	while (lsmpmon_clock() - begin < content)
		cpu_relax();
	lsmpmon_end(SELF, 0);
	enclosing = lsmpmon_clock() - enclosing;
	after = self_cell(LSMPMON_ALLOW);
	preempt_enable();

	took = after.sum - before.sum;
	KUNIT_EXPECT_EQ(test, after.count, before.count + 1);
	KUNIT_EXPECT_GE(test, took, content);
	KUNIT_EXPECT_LE(test, took, enclosing);
}

static void span_with_verdict(int rc)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame);
	lsmpmon_end(SELF, rc);
}

static void verdicts_are_apart(struct kunit *test)
{
	const u64 allowed = self_cell(LSMPMON_ALLOW).count;
	const u64 denied = self_cell(LSMPMON_DENY).count;

	preempt_disable();
	span_with_verdict(0);
	span_with_verdict(-EACCES);
	span_with_verdict(1);
	span_with_verdict(-ECHILD);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, allowed + 3);
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_DENY).count, denied + 1);
}

/* A loop over callbacks that answered so, one after the other. */
static void loop_with_verdicts(const int *rc, int n)
{
	LSMPMON_FRAME(frame);
	int i;

	lsmpmon_loop_begin(&frame, LSMPMON_HOOK_SELF);
	for (i = 0; i < n; i++) {
		lsmpmon_note(&frame, rc[i], -EOPNOTSUPP);
		empty_span();	/* as a hook called by a callback */
	}
	lsmpmon_loop_end(&frame);
}

static void loop_has_the_last_verdict(struct kunit *test)
{
	static const int rc[] = { 0, -EPERM, 0, -EOPNOTSUPP };
	const u64 allowed = self_cell(LSMPMON_ALLOW).count;
	const u64 denied = self_cell(LSMPMON_DENY).count;

	preempt_disable();
	loop_with_verdicts(rc, 0);	/* no callback */
	loop_with_verdicts(rc, 2);
	loop_with_verdicts(rc, 3);
	loop_with_verdicts(rc, 4);	/* no opinion */
	preempt_enable();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, allowed + 3 + 9);
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_DENY).count, denied + 1);
}

#define DEEP	100

/* However deep: each has its own frame. */
static void nested_spans_all_count(struct kunit *test)
{
	const struct lsmpmon_span *outermost = current->lsmpmon.span;
	const u64 before = self_cell(LSMPMON_ALLOW).count;
	const u64 lost = lsmpmon_lost();
	struct lsmpmon_frame *frame;
	int i;

	frame = kunit_kcalloc(test, DEEP, sizeof(*frame), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, frame);
	preempt_disable();
	for (i = 0; i < DEEP; i++)
		lsmpmon_begin(&frame[i]);
	KUNIT_EXPECT_PTR_EQ(test, current->lsmpmon.span, &frame[DEEP - 1].span);
	while (i--)
		lsmpmon_end(SELF, 0);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, before + DEEP);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost);
	KUNIT_EXPECT_PTR_EQ(test, current->lsmpmon.span, outermost);
}

static struct kunit_case span_cases[] = {
	KUNIT_CASE(every_span_counts),
	KUNIT_CASE(span_is_as_long_as_its_content),
	KUNIT_CASE(verdicts_are_apart),
	KUNIT_CASE(loop_has_the_last_verdict),
	KUNIT_CASE(nested_spans_all_count),
	{}
};

static struct kunit_suite span_suite = {
	.name = "lsmpmon_span",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = span_cases,
};

kunit_test_suite(span_suite);
