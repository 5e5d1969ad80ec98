// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of payers
 *
 * The thread of the tests changes its command name to make calls of many payers.
 */

#include <linux/sched.h>

#include "../escape.h"
#include "../feature.h"
#include "payers.h"
#include "self.h"

#define KIND	LSMPMON_BY_COMM

/* More than there are columns. */
#define NAMES	(LSMPMON_PAYERS + 100)

#define OTHER	lsmpmon_other_payer(KIND)

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

/* Make one span under each of many names, which no other task has. */
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

static void spans_as(const char *comm, unsigned int n)
{
	char before[TASK_COMM_LEN], name[TASK_COMM_LEN];

	get_task_comm(before, current);
	strscpy(name, comm, sizeof(name));
	set_task_comm(current, name);
	while (n--)
		empty_span();
	set_task_comm(current, before);
}

/* The column of a name; OTHER if it has none. */
static unsigned int column_of(const char *comm)
{
	const struct lsmpmon_payers *p = lsmpmon_payers[KIND];
	char name[TASK_COMM_LEN] = "";
	unsigned int column;

	strscpy(name, comm, sizeof(name));
	for (column = 0; column < LSMPMON_PAYERS; column++)
		if (!test_bit(column, p->free) &&
		    !memcmp(&p->key[column], name, sizeof(name)))
			return column;
	return OTHER;
}

static void each_call_is_counted_once(struct kunit *test)
{
	int round;

	for (round = 1; round < 4; round++) {
		spans_by_name("payer");
		KUNIT_EXPECT_EQ(test, calls_of_all(KIND), round * NAMES);
		make_room(KIND);
		KUNIT_EXPECT_EQ(test, calls_of_all(KIND), round * NAMES);
	}
}

static void latecomers_get_a_column(struct kunit *test)
{
	spans_by_name("crowd");
	make_room(KIND);
	spans_as("latecomer", 7);
	KUNIT_EXPECT_EQ(test, calls_in(KIND, column_of("latecomer")), 7);
}

static void the_heaviest_keep_theirs(struct kunit *test)
{
	char prefix[8];
	int round;

	spans_as("heavy", 1000);
	for (round = 0; round < 10; round++) {
		snprintf(prefix, sizeof(prefix), "r%d", round);
		spans_by_name(prefix);
		make_room(KIND);
	}
	KUNIT_EXPECT_EQ(test, calls_in(KIND, column_of("heavy")), 1000);
	KUNIT_EXPECT_EQ(test, missed_in(KIND, column_of("heavy")), 0);
}

/* Whether the payer has kept its column or not. */
static void what_a_column_lacks_is_known(struct kunit *test)
{
	unsigned int column, rounds = 0;
	char prefix[8];
	u64 round;

	for (round = 1; round <= 30; round++) {
		spans_as("seldom", 3);
		snprintf(prefix, sizeof(prefix), "s%llu", round);
		spans_by_name(prefix);
		make_room(KIND);
		column = column_of("seldom");
		if (column == OTHER)
			continue;
		rounds++;
		KUNIT_EXPECT_GE(test, calls_in(KIND, column) + missed_in(KIND, column),
				3 * round);
	}
	kunit_info(test, "had a column after %u of 30 rounds", rounds);
	spans_as("seldom", 1);
	column = column_of("seldom");
	KUNIT_ASSERT_NE(test, column, OTHER);
	KUNIT_EXPECT_GE(test, calls_in(KIND, column) + missed_in(KIND, column), 91);
}

static void reset_frees_the_columns(struct kunit *test)
{
	spans_by_name("payer");
	make_room(KIND);
	lsmpmon_reset();
	KUNIT_EXPECT_EQ(test, calls_of_payers(KIND), 0);
	KUNIT_EXPECT_EQ(test, calls_in(KIND, OTHER), 0);
	spans_as("another", 5);
	KUNIT_EXPECT_EQ(test, calls_in(KIND, column_of("another")), 5);
	KUNIT_EXPECT_EQ(test, missed_in(KIND, column_of("another")), 0);
}

/* Hook calls in interrupts have no payer. */
static void interrupts_have_a_column_of_their_own(struct kunit *test)
{
	unsigned long flags;

	local_irq_save(flags);
	preempt_count_add(HARDIRQ_OFFSET);
	empty_span();
	preempt_count_sub(HARDIRQ_OFFSET);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, calls_in(KIND, lsmpmon_no_payer(KIND)), 1);
	KUNIT_EXPECT_EQ(test, calls_of_payers(KIND), 0);
}

static void feature_off_counts_for_nobody(struct kunit *test)
{
	lsmpmon_feature_switch(LSMPMON_FEATURE_COMM, false);
	spans_by_name("payer");
	KUNIT_EXPECT_EQ(test, calls_of_payers(KIND), 0);
	KUNIT_EXPECT_EQ(test, calls_in(KIND, OTHER), 0);
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
		lsmpmon_escape_name(names[i].comm, name, sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, names[i].name);
	}
}

static struct kunit_case payer_cases[] = {
	KUNIT_CASE(each_call_is_counted_once),
	KUNIT_CASE(latecomers_get_a_column),
	KUNIT_CASE(the_heaviest_keep_theirs),
	KUNIT_CASE(what_a_column_lacks_is_known),
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
