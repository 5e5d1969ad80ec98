// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of pairs of a system
 * call and a hook
 */

#include <kunit/test.h>
#include <linux/mm.h>

#include "../syscall.h"

static struct lsmpmon_cpu *cpu_with_pairs(struct kunit *test)
{
	struct lsmpmon_cpu *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, c);
	c->pair = kunit_kcalloc(test, LSMPMON_PAIRS, sizeof(*c->pair),
				GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c->pair);
	return c;
}

static u64 all_counts(const struct lsmpmon_cpu *c)
{
	u64 count = 0;
	int i;

	for (i = 0; i < LSMPMON_PAIRS; i++)
		count += c->pair[i].count + c->pair[i].cs_count;
	return count;
}

static void pairs_are_kept_apart(struct kunit *test)
{
	struct lsmpmon_cpu *c = cpu_with_pairs(test);
	int operation, hook, i, used = 0;

	for (operation = 0; operation < 20; operation++)
		for (hook = 0; hook < 20; hook++) {
			const u64 key = lsmpmon_pair(LSMPMON_OFFSET(hook),
						     operation);

			lsmpmon_pair_count(c, key, 7, false);
			lsmpmon_pair_count(c, key, 9, false);
			lsmpmon_pair_count(c, key, 5, true);
		}
	for (i = 0; i < LSMPMON_PAIRS; i++) {
		if (!c->pair[i].key)
			continue;
		used++;
		KUNIT_EXPECT_EQ(test, c->pair[i].count, 2);
		KUNIT_EXPECT_EQ(test, c->pair[i].sum, 16);
		KUNIT_EXPECT_EQ(test, c->pair[i].min, 7);
		KUNIT_EXPECT_EQ(test, c->pair[i].max, 9);
		KUNIT_EXPECT_EQ(test, c->pair[i].cs_count, 1);
	}
	KUNIT_EXPECT_EQ(test, used, 400);
	KUNIT_EXPECT_EQ(test, c->lost, 0);
}

/* What finds no room is counted as lost, and nothing is counted twice. */
static void full_table_loses_aloud(struct kunit *test)
{
	struct lsmpmon_cpu *c = cpu_with_pairs(test);
	const u64 n = 2 * LSMPMON_PAIRS;
	u64 i;

	for (i = 0; i < n; i++)
		lsmpmon_pair_count(c, lsmpmon_pair(LSMPMON_OFFSET(1), i), 1,
				   false);
	KUNIT_EXPECT_GT(test, c->lost, 0);
	KUNIT_EXPECT_EQ(test, all_counts(c) + c->lost, n);
}

static void operations_have_names(struct kunit *test)
{
	char name[LSMPMON_OPERATION_NAME];

	lsmpmon_operation_name(0, name, sizeof(name));
	KUNIT_EXPECT_STREQ(test, name, "-");
	lsmpmon_operation_name(LSMPMON_OPERATION_SYSCALL | 9999, name,
			       sizeof(name));
	KUNIT_EXPECT_STREQ(test, name, "9999");
	lsmpmon_operation_name(LSMPMON_OPERATION_COMPAT | 9999, name,
			       sizeof(name));
	KUNIT_EXPECT_STREQ(test, name, "compat:9999");
	if (IS_ENABLED(CONFIG_IO_URING)) {
		lsmpmon_operation_name(LSMPMON_OPERATION_URING, name,
				       sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "uring:NOP");
	}
	if (IS_ENABLED(CONFIG_X86_64)) {
		lsmpmon_operation_name(LSMPMON_OPERATION_SYSCALL, name,
				       sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "read");
		lsmpmon_operation_name(LSMPMON_OPERATION_SYSCALL | 4, name,
				       sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "stat");
		lsmpmon_operation_name(LSMPMON_OPERATION_SYSCALL | 257, name,
				       sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "openat");
	}
}

/* KUnit runs in a kernel thread. */
static void kernel_threads_are_in_no_system_call(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lsmpmon_operation(), 0);
}

static struct kunit_case syscall_cases[] = {
	KUNIT_CASE(pairs_are_kept_apart),
	KUNIT_CASE(full_table_loses_aloud),
	KUNIT_CASE(operations_have_names),
	KUNIT_CASE(kernel_threads_are_in_no_system_call),
	{}
};

static struct kunit_suite syscall_suite = {
	.name = "lsmpmon_syscall",
	.test_cases = syscall_cases,
};

kunit_test_suite(syscall_suite);
