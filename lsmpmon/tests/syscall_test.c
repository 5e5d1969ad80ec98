// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of pairs of a system
 * call and a hook
 */

#include <kunit/test.h>
#include <linux/bitmap.h>
#include <linux/limits.h>
#include <linux/mm.h>

#include "../syscall.h"

/* Numbers that no system call has, in an architecture that has @calls of them. */
static void are_no_system_calls(struct kunit *test, int calls, int arch)
{
	const int numbers[] = {
		-1, INT_MIN, INT_MAX, 0x10000, 0x40000000 /* x32 */,
		0x40000001, 0xffff, calls, calls + 1,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		KUNIT_EXPECT_EQ(test, LSMPMON_NO_OPERATION,
				lsmpmon_system_call(numbers[i], arch));
}

static void odd_numbers_are_no_system_calls(struct kunit *test)
{
	are_no_system_calls(test, LSMPMON_NATIVE_CALLS, __AUDIT_ARCH_64BIT);
	if (IS_ENABLED(CONFIG_64BIT))
		are_no_system_calls(test, LSMPMON_COMPAT_CALLS, 0);
	KUNIT_EXPECT_EQ(test, 0, lsmpmon_system_call(0, __AUDIT_ARCH_64BIT));
}

static struct lsmpmon_places *new_places(void)
{
	return kvzalloc(sizeof(struct lsmpmon_places), GFP_KERNEL);
}

static void pairs_keep_their_places(struct kunit *test)
{
	struct lsmpmon_places *places = new_places();
	unsigned int hook, i;

	KUNIT_ASSERT_NOT_NULL(test, places);
	KUNIT_EXPECT_EQ(test, LSMPMON_ALL_PLACES,
			lsmpmon_place_find(places, 3, 7));
	for (i = 0; i < 2 * LSMPMON_CELLS; i++) {
		hook = i % LSMPMON_CELLS;
		KUNIT_EXPECT_EQ(test, LSMPMON_FIRST_PLACE + hook,
				lsmpmon_place_take(places, hook, 7));
		KUNIT_EXPECT_EQ(test, LSMPMON_FIRST_PLACE + hook,
				lsmpmon_place_find(places, hook, 7));
	}
	kvfree(places);
}

/* Even for a user who makes every pair that is possible. */
static void no_place_is_given_twice(struct kunit *test)
{
	struct lsmpmon_places *places = new_places();
	unsigned long *seen = bitmap_zalloc(LSMPMON_ALL_PLACES, GFP_KERNEL);
	unsigned int hook, operation, place, twice = 0, others = 0;

	KUNIT_ASSERT_NOT_NULL(test, places);
	KUNIT_ASSERT_NOT_NULL(test, seen);
	for (operation = 0; operation < LSMPMON_NO_OPERATION; operation++)
		for (hook = 0; hook < LSMPMON_CELLS; hook++) {
			place = lsmpmon_place_take(places, hook, operation);
			if (place == LSMPMON_CELLS + hook)
				others++;
			else
				twice += test_and_set_bit(place, seen);
		}
	KUNIT_EXPECT_EQ(test, twice, 0);
	KUNIT_EXPECT_EQ(test, others, LSMPMON_NO_OPERATION * LSMPMON_CELLS -
			LSMPMON_PLACES);
	KUNIT_EXPECT_EQ(test, LSMPMON_CELLS - 1,
			lsmpmon_place_take(places, LSMPMON_CELLS - 1,
					   LSMPMON_NO_OPERATION));
	bitmap_free(seen);
	kvfree(places);
}

/* An owner may be interrupted before it publishes its place. */
static void nobody_waits_for_a_place(struct kunit *test)
{
	struct lsmpmon_places *places = new_places();

	KUNIT_ASSERT_NOT_NULL(test, places);
	places->owner[0] = 3 * LSMPMON_ROW + 7 + 1;
	KUNIT_EXPECT_EQ(test, LSMPMON_FIRST_PLACE + 1,
			lsmpmon_place_take(places, 3, 8));
	KUNIT_EXPECT_EQ(test, LSMPMON_FIRST_PLACE,
			lsmpmon_place_find(places, 3, 7));
	places->owner[2] = 5 * LSMPMON_ROW + 7 + 1;
	KUNIT_EXPECT_EQ(test, LSMPMON_FIRST_PLACE + 2,
			lsmpmon_place_take(places, 5, 7));
	KUNIT_EXPECT_EQ(test, places->taken, 3);
	kvfree(places);
}

static void calls_add_up(struct kunit *test)
{
	struct lsmpmon_pair pair = { .min = U64_MAX };

	lsmpmon_pair_add(&pair, 7);
	lsmpmon_pair_add(&pair, 9);
	KUNIT_EXPECT_EQ(test, pair.count, 2);
	KUNIT_EXPECT_EQ(test, pair.sum, 16);
	KUNIT_EXPECT_EQ(test, pair.min, 7);
	KUNIT_EXPECT_EQ(test, pair.max, 9);
}

static void operations_have_names(struct kunit *test)
{
	char name[LSMPMON_OPERATION_NAME];

	lsmpmon_operation_name(LSMPMON_NO_OPERATION, name, sizeof(name));
	KUNIT_EXPECT_STREQ(test, name, "-");
	lsmpmon_operation_name(LSMPMON_OTHER, name, sizeof(name));
	KUNIT_EXPECT_STREQ(test, name, "other");
	if (IS_ENABLED(CONFIG_IO_URING)) {
		lsmpmon_operation_name(LSMPMON_URING, name,
				       sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "uring:NOP");
	}
	if (IS_ENABLED(CONFIG_X86_64)) {
		lsmpmon_operation_name(0, name, sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "read");
		lsmpmon_operation_name(4, name, sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "stat");
		lsmpmon_operation_name(257, name, sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "openat");
		/* One that the table has room for, and no call. */
		lsmpmon_operation_name(400, name, sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "400");
	}
	if (IS_ENABLED(CONFIG_IA32_EMULATION)) {
		lsmpmon_operation_name(LSMPMON_COMPAT + 3, name, sizeof(name));
		KUNIT_EXPECT_STREQ(test, name, "compat:read");
	}
}

/* KUnit runs in a kernel thread. */
static void kernel_threads_are_in_no_system_call(struct kunit *test)
{
	bool fallback;

	KUNIT_EXPECT_EQ(test, lsmpmon_operation(&fallback),
			LSMPMON_NO_OPERATION);
	KUNIT_EXPECT_FALSE(test, fallback);
}

static struct kunit_case syscall_cases[] = {
	KUNIT_CASE(odd_numbers_are_no_system_calls),
	KUNIT_CASE(pairs_keep_their_places),
	KUNIT_CASE(no_place_is_given_twice),
	KUNIT_CASE(nobody_waits_for_a_place),
	KUNIT_CASE(calls_add_up),
	KUNIT_CASE(operations_have_names),
	KUNIT_CASE(kernel_threads_are_in_no_system_call),
	{}
};

static struct kunit_suite syscall_suite = {
	.name = "lsmpmon_syscall",
	.test_cases = syscall_cases,
};

kunit_test_suite(syscall_suite);
