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

/* A span is at least as long as its content, and at most as long as what encloses it. */
static void span_is_as_long_as_its_content(struct kunit *test)
{
	const u64 content = 100000;
	struct lsmpmon_cell before, after;
	u64 enclosing, begin, took;
	LSMPMON_FRAME(frame);

	before = self_cell(LSMPMON_ALLOW);
	preempt_disable();
	enclosing = lsmpmon_clock();
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	begin = lsmpmon_clock();
	while (lsmpmon_clock() - begin < content)
		cpu_relax();
	lsmpmon_end(SELF, 0);
	enclosing = lsmpmon_clock() - enclosing;
	preempt_enable();
	after = self_cell(LSMPMON_ALLOW);

	took = after.sum - before.sum;
	KUNIT_EXPECT_EQ(test, after.count, before.count + 1);
	KUNIT_EXPECT_GE(test, took, content);
	KUNIT_EXPECT_LE(test, took, enclosing);
}

static void span_with_verdict(int rc)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
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

/* A loop over callbacks that return the given values. */
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

/* Spans nest to any depth, since each has its own frame. */
static void nested_spans_all_count(struct kunit *test)
{
	const struct lsmpmon_span *outermost = lsmpmon_of(current)->span;
	const u64 before = self_cell(LSMPMON_ALLOW).count;
	const u64 lost = lsmpmon_lost();
	struct lsmpmon_frame *frame;
	int i;

	frame = kunit_kcalloc(test, DEEP, sizeof(*frame), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, frame);
	preempt_disable();
	for (i = 0; i < DEEP; i++)
		lsmpmon_begin(&frame[i], LSMPMON_HOOK_SELF);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_of(current)->span, &frame[DEEP - 1].span);
	while (i--)
		lsmpmon_end(SELF, 0);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, before + DEEP);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_of(current)->span, outermost);
}

/* Longer than any duration in these tests. */
#define BACK	BIT_ULL(40)

/* A hook call in which the clock goes back. */
static void span_backwards(int rc, bool interrupted)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	frame.span.begin += BACK;
	frame.span.interrupted = interrupted;
	lsmpmon_end(SELF, rc);
}

/* The call is counted, but its duration is in no sum, minimum or maximum. */
static void clock_that_went_back_is_no_time(struct kunit *test)
{
	struct lsmpmon_cell before, after, denied;
	const u64 lost = lsmpmon_lost();
	u64 backwards;

	preempt_disable();
	empty_span();
	preempt_enable();
	backwards = lsmpmon_backwards();
	before = self_cell(LSMPMON_ALLOW);
	denied = self_cell(LSMPMON_DENY);
	preempt_disable();
	span_backwards(0, false);
	span_backwards(0, true);
	span_backwards(-EACCES, false);
	preempt_enable();
	after = self_cell(LSMPMON_ALLOW);
	before.cs_count += 2;
	before.times.unknown += 2;
	KUNIT_EXPECT_EQ(test, memcmp(&before, &after, sizeof(after)), 0);
	after = self_cell(LSMPMON_DENY);
	denied.cs_count++;
	denied.times.unknown++;
	KUNIT_EXPECT_EQ(test, memcmp(&denied, &after, sizeof(after)), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_backwards(), backwards + 3);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost);
}

/* The first duration of a hook is its minimum and maximum. */
static void first_time_may_be_none(struct kunit *test)
{
	struct lsmpmon_cell cell;

	lsmpmon_reset();
	preempt_disable();
	span_backwards(0, false);
	preempt_enable();
	cell = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, cell.count, 0);
	KUNIT_EXPECT_EQ(test, cell.sum, 0);
	KUNIT_EXPECT_EQ(test, cell.min, U64_MAX);
	KUNIT_EXPECT_EQ(test, lsmpmon_cell_max(&cell), 0);
	KUNIT_EXPECT_EQ(test, cell.cs_count, 1);
	lsmpmon_reset();
	KUNIT_EXPECT_EQ(test, lsmpmon_backwards(), 0);
}

static struct kunit_case span_cases[] = {
	KUNIT_CASE(every_span_counts),
	KUNIT_CASE(span_is_as_long_as_its_content),
	KUNIT_CASE(verdicts_are_apart),
	KUNIT_CASE(loop_has_the_last_verdict),
	KUNIT_CASE(nested_spans_all_count),
	KUNIT_CASE(clock_that_went_back_is_no_time),
	KUNIT_CASE(first_time_may_be_none),
	{}
};

static struct kunit_suite span_suite = {
	.name = "lsmpmon_span",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = span_cases,
};

kunit_test_suite(span_suite);
