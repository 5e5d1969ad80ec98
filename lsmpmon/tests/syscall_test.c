// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of operations
 */

#include <kunit/test.h>
#include <linux/limits.h>

#include "../operation.h"

/* Numbers without a system call, for an architecture with @calls system calls. */
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
		/* Within the table, but without a system call. */
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
	KUNIT_EXPECT_EQ(test, lsmpmon_operation(), LSMPMON_NO_OPERATION);
}

static struct kunit_case syscall_cases[] = {
	KUNIT_CASE(odd_numbers_are_no_system_calls),
	KUNIT_CASE(operations_have_names),
	KUNIT_CASE(kernel_threads_are_in_no_system_call),
	{}
};

static struct kunit_suite syscall_suite = {
	.name = "lsmpmon_syscall",
	.test_cases = syscall_cases,
};

kunit_test_suite(syscall_suite);
