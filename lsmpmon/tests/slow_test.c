// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of the slowest calls
 *
 * To be sure of the order, most calls get their lengths by moving their beginning into
 * the past, by more than any test takes.  They are told apart by what they return.
 */

#include <linux/fs.h>
#include <linux/path.h>
#include <linux/timekeeping.h>

#include "../compat.h"
#include "../feature.h"
#include "../operation.h"
#include "../slow.h"
#include "self.h"
#include "sleep.h"

/* A length in ticks. */
#define LONG		BIT_ULL(40)

/* A hook that the thread of the tests does not call, for calls with callbacks. */
#define HOOK		(LSMPMON_HOOKS - 1)

static const struct lsmpmon_noted nothing;

/* What was read last. */
static struct lsmpmon_slow slow[LSMPMON_SLOWEST];

static int slow_test_init(struct kunit *test)
{
	return self_test_init(test) ?:
	       lsmpmon_feature_switch(LSMPMON_FEATURE_SLOWEST, true);
}

static void slow_test_exit(struct kunit *test)
{
	lsmpmon_feature_switch(LSMPMON_FEATURE_SLOWEST, false);
	self_test_exit(test);
}

/* Read the slowest calls of a hook; return their number. */
static unsigned int read_slowest(struct kunit *test, enum lsmpmon_hook hook)
{
	struct lsmpmon_slowest *one;
	unsigned int count = 0;
	int cpu;

	one = kunit_kzalloc(test, sizeof(*one), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, one);
	memset(slow, 0, sizeof(slow));
	for_each_possible_cpu(cpu) {
		lsmpmon_slow_read(cpu, hook, one);
		count = lsmpmon_slow_merge(slow, count, one);
	}
	return count;
}

/* A call of a given length. */
static void call(u64 length, int rc)
{
	LSMPMON_FRAME(frame);

	begin_noted(&frame, LSMPMON_HOOK_SELF, true, nothing);
	frame.span.begin -= length;
	lsmpmon_end(SELF, rc);
}

/* The calls are there, as often as there were any, and the slowest first. */
static void expect_slowest(struct kunit *test, int slowest, unsigned int count)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, read_slowest(test, LSMPMON_HOOK_SELF), count);
	for (i = 0; i < count; i++) {
		KUNIT_EXPECT_EQ(test, slow[i].rc, -(slowest - (int)i));
		KUNIT_EXPECT_GE(test, slow[i].wall, (slowest - i) * LONG);
		KUNIT_EXPECT_LT(test, slow[i].wall, (slowest - i + 1) * LONG);
	}
}

static void few_calls_are_all_there(struct kunit *test)
{
	static const int lengths[] = { 3, 1, 5, 2, 4 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++)
		call(lengths[i] * LONG, -lengths[i]);
	expect_slowest(test, ARRAY_SIZE(lengths), ARRAY_SIZE(lengths));
}

/* In an order in which some of the slowest come first, and others last. */
static void of_many_calls_the_slowest_are_there(struct kunit *test)
{
	const int calls = 101, step = 37;
	int i, length;

	for (i = 0; i < calls; i++) {
		length = i * step % calls + 1;
		call(length * LONG, -length);
	}
	expect_slowest(test, calls, LSMPMON_SLOWEST);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), 0);
}

static void reset_forgets_them(struct kunit *test)
{
	int i;

	for (i = 1; i <= 20; i++)
		call(i * LONG, -i);
	lsmpmon_reset();
	KUNIT_EXPECT_EQ(test, read_slowest(test, LSMPMON_HOOK_SELF), 0);
	call(LONG, -1);
	expect_slowest(test, 1, 1);
}

static void others_are_not_there(struct kunit *test)
{
	LSMPMON_FRAME(rejected);

	use_filter_once();
	empty_span();
	begin_noted(&rejected, LSMPMON_HOOK_SELF, false, nothing);
	end_rejected(&rejected, -1);
	KUNIT_EXPECT_EQ(test, read_slowest(test, LSMPMON_HOOK_SELF), 0);
}

static void call_without_a_time_is_not_there(struct kunit *test)
{
	const u64 backwards = lsmpmon_backwards();

	call(-LONG, 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_backwards(), backwards + 1);
	KUNIT_EXPECT_EQ(test, read_slowest(test, LSMPMON_HOOK_SELF), 0);
}

static void who_called_and_when(struct kunit *test)
{
	const u64 begin = ktime_get_boottime_ns();

	call(LONG, -EACCES);
	KUNIT_ASSERT_EQ(test, read_slowest(test, LSMPMON_HOOK_SELF), 1);
	KUNIT_EXPECT_STREQ(test, slow->comm, current->comm);
	KUNIT_EXPECT_EQ(test, slow->pid, task_tgid_nr(current));
	KUNIT_EXPECT_TRUE(test, slow->in_task);
	KUNIT_EXPECT_EQ(test, slow->operation, LSMPMON_NO_OPERATION);
	KUNIT_EXPECT_EQ(test, slow->place, LSMPMON_PLACES);
	KUNIT_EXPECT_EQ(test, slow->rc, -EACCES);
	KUNIT_EXPECT_STREQ(test, slow->object, "");
	KUNIT_EXPECT_GE(test, slow->end + NSEC_PER_MSEC, begin);
	KUNIT_EXPECT_LE(test, slow->end, ktime_get_boottime_ns() + NSEC_PER_MSEC);
}

static void sleep_is_apart(struct kunit *test)
{
	struct known_sleep s;
	LSMPMON_FRAME(frame);

	prepare_sleep(test, &s);
	begin_noted(&frame, LSMPMON_HOOK_SELF, true, nothing);
	sleep_as_known(&s);
	lsmpmon_end(SELF, 0);
	KUNIT_ASSERT_EQ(test, read_slowest(test, LSMPMON_HOOK_SELF), 1);
	KUNIT_EXPECT_FALSE(test, slow->unknown);
	KUNIT_EXPECT_GE(test, slow->slept, s.ticks);
	KUNIT_EXPECT_GT(test, slow->own, 0);
	KUNIT_EXPECT_LE(test, slow->own + slow->slept + slow->preempted, slow->wall);
}

/* As an NMI does that strikes while its CPU inserts a call of the same hook. */
static void call_inside_an_insertion_is_lost(struct kunit *test)
{
	const u64 lost = lsmpmon_lost();
	struct lsmpmon_slow_head *head;

	preempt_disable();
	head = &raw_cpu_read(lsmpmon_cpu.slowest)[LSMPMON_HOOK_SELF].head;
	head->inserting = true;
	call(2 * LONG, -2);
	head->inserting = false;
	call(LONG, -1);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost + 1);
	expect_slowest(test, 1, 1);
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_DENY).count, 2);
}

static void switching_inside_a_call_is_harmless(struct kunit *test)
{
	LSMPMON_FRAME(frame);

	begin_noted(&frame, LSMPMON_HOOK_SELF, true, nothing);
	lsmpmon_feature_switch(LSMPMON_FEATURE_SLOWEST, false);
	lsmpmon_end(SELF, 0);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_feature_switch(LSMPMON_FEATURE_SLOWEST, true);
	lsmpmon_end(SELF, 0);
	KUNIT_EXPECT_EQ(test, read_slowest(test, LSMPMON_HOOK_SELF), 0);
}

static void module_is_the_one_that_took_most(struct kunit *test)
{
	const unsigned int longest = LSMPMON_PLACES / 2;
	LSMPMON_FRAME(frame);
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, true));
	preempt_disable();
	begin_noted(&frame, HOOK, true, nothing);
	for (i = 0; i < LSMPMON_PLACES; i++) {
		lsmpmon_callback_at(&frame, i);
		frame.callback[i].ticks -= (i == longest ? 2 : 1) * LONG;
	}
	frame.span.begin -= (LSMPMON_PLACES + 1) * LONG;
	lsmpmon_end(LSMPMON_OFFSET(HOOK), 0);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, read_slowest(test, HOOK), 1);
	KUNIT_EXPECT_EQ(test, slow->place, longest);
	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, false);
}

static struct lsmpmon_noted as_name(const struct qstr *name)
{
	return LSMPMON_BEST_OBJECT(name);
}

static void object_has_its_name(struct kunit *test)
{
	static const char letters[] =
		"0123456789012345678901234567890123456789012345678901234567890123456789";
	const struct qstr names[] = {
		{ .name = "a name" }, { .name = letters + 7 }, { .name = letters },
	};
	LSMPMON_FRAME(frame);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		begin_noted(&frame, LSMPMON_HOOK_SELF, true,
			    as_name(&names[i]));
		frame.span.begin -= (i + 1) * LONG;
		lsmpmon_end(SELF, 0);
	}
	KUNIT_ASSERT_EQ(test, read_slowest(test, LSMPMON_HOOK_SELF), 3);
	KUNIT_EXPECT_TRUE(test, slow[0].is_cut);
	KUNIT_EXPECT_EQ(test, strlen(slow[0].object), LSMPMON_OBJECT_SIZE - 1);
	KUNIT_EXPECT_EQ(test, strstarts(letters, slow[0].object), true);
	KUNIT_EXPECT_FALSE(test, slow[1].is_cut);
	KUNIT_EXPECT_STREQ(test, slow[1].object, letters + 7);
	KUNIT_EXPECT_STREQ(test, slow[2].object, "a name");
}

/* A call that is measured in place has its object later, or never. */
static void object_may_come_with_the_first_callback(struct kunit *test)
{
	const struct qstr name = { .name = "late" };

	LSMPMON_FRAME(frame);

	lsmpmon_loop_begin(&frame, LSMPMON_HOOK_SELF);
	KUNIT_EXPECT_TRUE(test, frame.span.flags & LSMPMON_UNDECIDED);
	lsmpmon_loop_decide(&frame, false, as_name(&name));
	frame.span.begin -= 2 * LONG;
	lsmpmon_loop_end(&frame);
	lsmpmon_loop_begin(&frame, LSMPMON_HOOK_SELF);
	frame.span.begin -= LONG;
	lsmpmon_loop_end(&frame);
	KUNIT_ASSERT_EQ(test, read_slowest(test, LSMPMON_HOOK_SELF), 2);
	KUNIT_EXPECT_STREQ(test, slow[0].object, "late");
	KUNIT_EXPECT_STREQ(test, slow[1].object, "");
}

static void best_argument_is_the_object(struct kunit *test)
{
	const struct path *dir = (const struct path *)&slow[0];
	struct dentry *dentry = (struct dentry *)&slow[1];
	struct inode *inode = (struct inode *)&slow[2];
	struct task_struct *task = (struct task_struct *)&slow[3];
	const struct qstr *name = (const struct qstr *)&slow[4];
	struct socket *socket = (struct socket *)&slow[5];
	struct sockaddr *address = (struct sockaddr *)&slow[6];
	const struct cred *cred = (const struct cred *)&slow[7];
	const int length = 16;
	struct lsmpmon_noted best;

	best = LSMPMON_BEST_OBJECT(dir, dentry, length);
	KUNIT_EXPECT_PTR_EQ(test, best.object, (const void *)dentry);
	KUNIT_EXPECT_EQ(test, best.kind, LSMPMON_OBJECT_dentry);
	best = LSMPMON_BEST_OBJECT(inode, dentry);
	KUNIT_EXPECT_PTR_EQ(test, best.object, (const void *)dentry);
	best = LSMPMON_BEST_OBJECT(inode, dir, name);
	KUNIT_EXPECT_PTR_EQ(test, best.object, (const void *)dir);
	best = LSMPMON_BEST_OBJECT(task, inode, cred);
	KUNIT_EXPECT_PTR_EQ(test, best.object, (const void *)task);
	best = LSMPMON_BEST_OBJECT(socket, address, length);
	KUNIT_EXPECT_PTR_EQ(test, best.object, (const void *)address);
	KUNIT_EXPECT_EQ(test, best.length, length);
	best = LSMPMON_BEST_OBJECT(cred, length);
	KUNIT_EXPECT_NULL(test, best.object);
	best = LSMPMON_BEST_OBJECT();
	KUNIT_EXPECT_NULL(test, best.object);
}

/* Each of two CPUs has every second length. */
static void calls_of_all_cpus_are_merged(struct kunit *test)
{
	struct lsmpmon_slowest *cpus;
	unsigned int i, count = 0;

	cpus = kunit_kcalloc(test, 2, sizeof(*cpus), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, cpus);
	for (i = 0; i < LSMPMON_SLOWEST; i++) {
		cpus[0].call[i].wall = i * 5 % LSMPMON_SLOWEST * 2;
		cpus[1].call[i].wall = i * 7 % LSMPMON_SLOWEST * 2 + 1;
	}
	for (i = 0; i < 2; i++) {
		cpus[i].head.count = LSMPMON_SLOWEST;
		count = lsmpmon_slow_merge(slow, count, &cpus[i]);
	}
	KUNIT_EXPECT_EQ(test, count, LSMPMON_SLOWEST);
	for (i = 0; i < count; i++)
		KUNIT_EXPECT_EQ(test, slow[i].wall, 2 * LSMPMON_SLOWEST - 1 - i);
}

static void of_calls_that_took_as_long_the_earlier_comes_first(struct kunit *test)
{
	struct lsmpmon_slowest *one;
	unsigned int i;

	one = kunit_kzalloc(test, sizeof(*one), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, one);
	one->head.count = 3;
	for (i = 0; i < 3; i++)
		one->call[i] = (struct lsmpmon_slow){
			.wall = 7, .end = (i + 2) % 3,
		};
	KUNIT_ASSERT_EQ(test, lsmpmon_slow_merge(slow, 0, one), 3);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, slow[i].end, i);
}

static struct kunit_case slow_cases[] = {
	KUNIT_CASE(few_calls_are_all_there),
	KUNIT_CASE(of_many_calls_the_slowest_are_there),
	KUNIT_CASE(reset_forgets_them),
	KUNIT_CASE(others_are_not_there),
	KUNIT_CASE(call_without_a_time_is_not_there),
	KUNIT_CASE(who_called_and_when),
	KUNIT_CASE(sleep_is_apart),
	KUNIT_CASE(call_inside_an_insertion_is_lost),
	KUNIT_CASE(switching_inside_a_call_is_harmless),
	KUNIT_CASE(module_is_the_one_that_took_most),
	KUNIT_CASE(object_has_its_name),
	KUNIT_CASE(object_may_come_with_the_first_callback),
	KUNIT_CASE(best_argument_is_the_object),
	KUNIT_CASE(calls_of_all_cpus_are_merged),
	KUNIT_CASE(of_calls_that_took_as_long_the_earlier_comes_first),
	{}
};

static struct kunit_suite slow_suite = {
	.name = "lsmpmon_slow",
	.init = slow_test_init,
	.exit = slow_test_exit,
	.test_cases = slow_cases,
};

kunit_test_suite(slow_suite);
