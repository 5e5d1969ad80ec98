// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of who pays
 *
 * The test's own thread takes on the names whose calls it counts.
 */

#include <linux/sched.h>

#include "../feature.h"
#include "../line.h"
#include "../payer.h"
#include "self.h"

/* More than there are columns. */
#define NAMES	(LSMPMON_PAYERS + 100)

static int payer_test_init(struct kunit *test)
{
	self_test_init(test);
	return lsmpmon_feature_switch(LSMPMON_FEATURE_COMM, true);
}

static void payer_test_exit(struct kunit *test)
{
	lsmpmon_feature_switch(LSMPMON_FEATURE_COMM, false);
	self_test_exit(test);
}

static u64 calls_in(unsigned int column)
{
	struct lsmpmon_pair pair;

	lsmpmon_pair_read(LSMPMON_BY_COMM, LSMPMON_HOOK_SELF, column, &pair);
	return pair.count + pair.cs_count;
}

static u64 calls_of_names(void)
{
	unsigned int column;
	u64 calls = 0;

	for (column = 0; column < LSMPMON_PAYERS; column++)
		calls += calls_in(column);
	return calls;
}

/* One span under each name, which are none that anybody else has. */
static void spans_by_name(const char *prefix)
{
	char before[TASK_COMM_LEN], name[TASK_COMM_LEN];
	unsigned int i;

	get_task_comm(before, current);
	for (i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "%s %u", prefix, i);
		set_task_comm(current, name);
		empty_span();
	}
	set_task_comm(current, before);
}

static void each_name_has_a_column_until_there_is_none(struct kunit *test)
{
	u64 named;

	spans_by_name("payer");
	named = calls_of_names();
	/* Others may have taken some of the columns meanwhile. */
	KUNIT_EXPECT_LE(test, named, LSMPMON_PAYERS);
	KUNIT_EXPECT_GE(test, named, LSMPMON_PAYERS - 20);
	KUNIT_EXPECT_EQ(test, named + calls_in(LSMPMON_OTHER_PAYER), NAMES);
}

static void who_has_a_column_keeps_it(struct kunit *test)
{
	u64 named;

	spans_by_name("payer");
	named = calls_of_names();
	spans_by_name("payer");
	KUNIT_EXPECT_EQ(test, calls_of_names(), 2 * named);
	spans_by_name("stranger");
	KUNIT_EXPECT_EQ(test, calls_of_names(), 2 * named);
	KUNIT_EXPECT_EQ(test, calls_in(LSMPMON_OTHER_PAYER),
			3 * NAMES - 2 * named);
}

static void reset_frees_the_columns(struct kunit *test)
{
	spans_by_name("payer");
	lsmpmon_reset();
	KUNIT_EXPECT_EQ(test, calls_of_names(), 0);
	KUNIT_EXPECT_EQ(test, calls_in(LSMPMON_OTHER_PAYER), 0);
	spans_by_name("another");
	KUNIT_EXPECT_GE(test, calls_of_names(), LSMPMON_PAYERS - 20);
}

/* What an interrupt calls is nobody's. */
static void interrupts_have_a_column_of_their_own(struct kunit *test)
{
	unsigned long flags;

	local_irq_save(flags);
	preempt_count_add(HARDIRQ_OFFSET);
	empty_span();
	preempt_count_sub(HARDIRQ_OFFSET);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, calls_in(LSMPMON_NO_PAYER), 1);
	KUNIT_EXPECT_EQ(test, calls_of_names(), 0);
}

static void feature_off_counts_for_nobody(struct kunit *test)
{
	lsmpmon_feature_switch(LSMPMON_FEATURE_COMM, false);
	spans_by_name("payer");
	KUNIT_EXPECT_EQ(test, calls_of_names(), 0);
	KUNIT_EXPECT_EQ(test, calls_in(LSMPMON_OTHER_PAYER), 0);
}

static const struct {
	const char *comm;
	const char *name;
} names[] = {
	{ "bash", "bash" },
	{ "kworker/0:1-eve", "kworker/0:1-eve" },
	{ "tmux: server", "tmux:\\040server" },
	{ "a\\b", "a\\134b" },
	{ "a\nb\tc", "a\\012b\\011c" },
	{ "\x7f\xc3\xa4", "\\177\\303\\244" },
	{ "", "\\000" },
	{ "-", "\\055" },
	{ "--", "--" },
	{ "other", "\\157ther" },
	{ "others", "others" },
	{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
	  "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377" },
};

static void names_are_words(struct kunit *test)
{
	char name[LSMPMON_COMM_NAME];
	int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		lsmpmon_comm_name(names[i].comm, name, sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, names[i].name);
	}
}

static struct kunit_case payer_cases[] = {
	KUNIT_CASE(each_name_has_a_column_until_there_is_none),
	KUNIT_CASE(who_has_a_column_keeps_it),
	KUNIT_CASE(reset_frees_the_columns),
	KUNIT_CASE(interrupts_have_a_column_of_their_own),
	KUNIT_CASE(feature_off_counts_for_nobody),
	KUNIT_CASE(names_are_words),
	{}
};

static struct kunit_suite payer_suite = {
	.name = "lsmpmon_payer",
	.init = payer_test_init,
	.exit = payer_test_exit,
	.test_cases = payer_cases,
};

kunit_test_suite(payer_suite);
