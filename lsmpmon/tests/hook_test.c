// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of hook.c
 */

#include <kunit/test.h>
#include <linux/string.h>

#include "../hook.h"

static void names_are_unique(struct kunit *test)
{
	int i, j;

	for (i = 0; i < LSMPMON_HOOKS; i++) {
		KUNIT_ASSERT_NOT_NULL(test, lsmpmon_hook_name(i));
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, lsmpmon_hook_name(i),
					    lsmpmon_hook_name(j));
	}
}

static void names_are_in_order(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, lsmpmon_hook_name(0), "binder_set_context_mgr");
	KUNIT_EXPECT_STREQ(test,
			   lsmpmon_hook_name(LSMPMON_HOOK_inode_permission),
			   "inode_permission");
	KUNIT_EXPECT_LT(test, LSMPMON_HOOK_file_permission,
			LSMPMON_HOOK_file_open);
}

static void void_hooks_are_known(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, lsmpmon_hook_is_void(LSMPMON_HOOK_d_instantiate));
	KUNIT_EXPECT_TRUE(test,
			  lsmpmon_hook_is_void(LSMPMON_HOOK_file_free_security));
	KUNIT_EXPECT_FALSE(test, lsmpmon_hook_is_void(LSMPMON_HOOK_file_open));
}

static struct kunit_case hook_cases[] = {
	KUNIT_CASE(names_are_unique),
	KUNIT_CASE(names_are_in_order),
	KUNIT_CASE(void_hooks_are_known),
	{}
};

static struct kunit_suite hook_suite = {
	.name = "lsmpmon_hook",
	.test_cases = hook_cases,
};

kunit_test_suite(hook_suite);
