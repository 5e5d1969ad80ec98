// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what measuring a hook call costs
 *
 * The cost is compared with two ordered readings of the clock around the same call,
 * the minimum for timing it.  The test is that each call is counted; durations are
 * only printed, for `make overhead`.
 */

#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/sort.h>

#include "self.h"

#define CALLS	1000
#define ROUNDS	201

#define HOOK	LSMPMON_HOOK_inode_permission

static noinline u64 ticks_of_calls(struct inode *inode)
{
	const u64 begin = lsmpmon_clock();
	int i;

	for (i = 0; i < CALLS; i++)
		security_inode_permission(inode, MAY_EXEC);
	return lsmpmon_clock() - begin;
}

static noinline u64 ticks_of_calls_with_clock(struct inode *inode)
{
	const u64 begin = lsmpmon_clock();
	u64 before, sum = 0;
	int i;

	for (i = 0; i < CALLS; i++) {
		before = lsmpmon_clock();
		security_inode_permission(inode, MAY_EXEC);
		sum += lsmpmon_clock() - before;
	}
	OPTIMIZER_HIDE_VAR(sum);
	return lsmpmon_clock() - begin;
}

static int compare(const void *a, const void *b)
{
	const u64 left = *(const u64 *)a, right = *(const u64 *)b;

	return (left > right) - (left < right);
}

/* Hundredths of a tick per call; the median ignores disturbed rounds. */
static u64 cost(u64 (*ticks)(struct inode *inode), struct inode *inode)
{
	static u64 round[ROUNDS];
	int i;

	for (i = 0; i < ROUNDS; i++)
		round[i] = ticks(inode);
	sort(round, ROUNDS, sizeof(*round), compare, NULL);
	return div_u64(round[ROUNDS / 2] * 100, CALLS);
}

static u64 counted(void)
{
	struct lsmpmon_cell cell;

	lsmpmon_cell_read(HOOK, LSMPMON_ALLOW, &cell);
	return cell.count + cell.cs_count;
}

static void each_call_is_counted(struct kunit *test)
{
	struct inode *inode = d_inode(current->fs->root.dentry);
	u64 before, off, on, clocks;

	KUNIT_ASSERT_EQ(test, lsmpmon_measure(false), 0);
	before = counted();
	off = cost(ticks_of_calls, inode);
	clocks = cost(ticks_of_calls_with_clock, inode);
	KUNIT_EXPECT_EQ(test, counted(), before);
	KUNIT_ASSERT_EQ(test, lsmpmon_measure(true), 0);
	before = counted();
	on = cost(ticks_of_calls, inode);
	/* Other tasks may call the hook, too. */
	KUNIT_EXPECT_GE(test, counted() - before, CALLS * ROUNDS);
	kunit_info(test, "hundredths of a cycle a hook call: off %llu on %llu clocks %llu\n",
		   off, on, clocks);
}

static struct kunit_case cycles_cases[] = {
	KUNIT_CASE(each_call_is_counted),
	{}
};

static struct kunit_suite cycles_suite = {
	.name = "lsmpmon_cycles",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = cycles_cases,
};

kunit_test_suite(cycles_suite);
