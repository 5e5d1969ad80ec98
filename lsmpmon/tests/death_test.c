// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of death.c
 *
 * They call the die notifiers.  A real fault would end the task; for that, see
 * tests/test_fault.py of lsmpmon's repository.
 */

#include <linux/kdebug.h>
#include <linux/signal.h>

#include "self.h"

static void tell(enum die_val what)
{
	notify_die(what, "KUnit", NULL, 0, 0, SIGSEGV);
}

static void calls_of_the_dead_are_forgotten(struct kunit *test)
{
	struct lsmpmon_task *t = lsmpmon_of(current);
	LSMPMON_FRAME(outer);
	LSMPMON_FRAME(inner);

	lsmpmon_begin(&outer, LSMPMON_HOOK_SELF);
	lsmpmon_begin(&inner, LSMPMON_HOOK_SELF);
	tell(DIE_OOPS);
	KUNIT_EXPECT_PTR_EQ(test, READ_ONCE(t->span), NULL);
	WRITE_ONCE(t->span, NULL);
}

static void writer_that_dies_blocks_no_reader(struct kunit *test)
{
	const u64 before = self_cell(LSMPMON_ALLOW).count;
	const u64 lost = lsmpmon_lost();
	unsigned int busy;

	KUNIT_ASSERT_TRUE(test, lsmpmon_write_lock());
	tell(DIE_OOPS);
	busy = raw_cpu_read(lsmpmon_cpu.busy);
	raw_cpu_write(lsmpmon_cpu.busy, 0);
	preempt_enable_notrace();
	KUNIT_EXPECT_EQ(test, busy, 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost + 1);
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, before);
	empty_span();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, before + 1);
}

static void other_news_change_nothing(struct kunit *test)
{
	const u64 lost = lsmpmon_lost();
	struct lsmpmon_span *span;
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	tell(0);
	span = READ_ONCE(lsmpmon_of(current)->span);
	WRITE_ONCE(lsmpmon_of(current)->span, &frame.span);
	lsmpmon_end(SELF, 0);
	KUNIT_EXPECT_PTR_EQ(test, span, &frame.span);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost);
}

static struct kunit_case death_cases[] = {
	KUNIT_CASE(calls_of_the_dead_are_forgotten),
	KUNIT_CASE(writer_that_dies_blocks_no_reader),
	KUNIT_CASE(other_news_change_nothing),
	{}
};

static struct kunit_suite death_suite = {
	.name = "lsmpmon_death",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = death_cases,
};

kunit_test_suite(death_suite);
