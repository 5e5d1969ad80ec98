// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of keys.c
 *
 * Keys are compared with their previous counts, since they may be in use already.
 * Keys of features that need tables are not switched.
 */

#include <kunit/test.h>

#include "../feature.h"
#include "../keys.h"

static int count_of(struct static_key_false *key)
{
	return static_key_count(&key->key);
}

static void shared_keys_count_who_needs_them(struct kunit *test)
{
	const int shared = count_of(&lsmpmon_no_early_skip);
	const int examined = count_of(&lsmpmon_examined);
	const int calls = count_of(&lsmpmon_calls_on);

	lsmpmon_keys_use(LSMPMON_USER_FILTER);
	lsmpmon_keys_use(LSMPMON_USER_CALLS);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_no_early_skip), shared + 2);
	lsmpmon_keys_unuse(LSMPMON_USER_FILTER);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_no_early_skip), shared + 1);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_examined), examined);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_calls_on), calls + 1);
	lsmpmon_keys_unuse(LSMPMON_USER_CALLS);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_no_early_skip), shared);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_calls_on), calls);
}

static void who_uses_them_twice_needs_them_once(struct kunit *test)
{
	const int before = count_of(&lsmpmon_examined);

	lsmpmon_keys_use(LSMPMON_USER_FILTER);
	lsmpmon_keys_use(LSMPMON_USER_FILTER);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_examined), before + 1);
	lsmpmon_keys_unuse(LSMPMON_USER_FILTER);
	KUNIT_EXPECT_TRUE(test, lsmpmon_keys_used(LSMPMON_USER_FILTER));
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_examined), before + 1);
	lsmpmon_keys_unuse(LSMPMON_USER_FILTER);
	KUNIT_EXPECT_FALSE(test, lsmpmon_keys_used(LSMPMON_USER_FILTER));
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_examined), before);
}

static void who_uses_none_switches_none(struct kunit *test)
{
	const int shared = count_of(&lsmpmon_no_early_skip);

	lsmpmon_keys_use(LSMPMON_USER_CALLS);
	lsmpmon_keys_unuse(LSMPMON_USER_FILTER);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_examined), 0);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_no_early_skip), shared + 1);
	lsmpmon_keys_use(LSMPMON_USER_FILTER);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_examined), 1);
	lsmpmon_keys_unuse(LSMPMON_USER_FILTER);
	lsmpmon_keys_unuse(LSMPMON_USER_CALLS);
	KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_no_early_skip), shared);
}

static void what_unlinked_calls_needed_once_stays(struct kunit *test)
{
	int i;

	for (i = 0; i < 2; i++) {
		lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, 2);
		KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_sampling), 1);
		lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, 1);
		KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_sampling), 0);
		KUNIT_EXPECT_EQ(test, count_of(&lsmpmon_ever_unlinked), 1);
	}
}

static struct kunit_case keys_cases[] = {
	KUNIT_CASE(shared_keys_count_who_needs_them),
	KUNIT_CASE(who_uses_them_twice_needs_them_once),
	KUNIT_CASE(who_uses_none_switches_none),
	KUNIT_CASE(what_unlinked_calls_needed_once_stays),
	{}
};

static struct kunit_suite keys_suite = {
	.name = "lsmpmon_keys",
	.test_cases = keys_cases,
};

kunit_test_suite(keys_suite);
