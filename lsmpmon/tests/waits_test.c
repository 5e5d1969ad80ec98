// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of what hook calls wait for
 *
 * The tests count waits in spans of LSMPMON_HOOK_SELF, and of a callback at the last
 * place of the last hook, which no module uses.
 */

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <trace/events/lock.h>

#include "../compat.h"
#include "../feature.h"
#include "../inject.h"
#include "../memory.h"
#include "../wait.h"
#include "self.h"
#include "sleep.h"
#include "strike.h"

#define HOOK	(LSMPMON_HOOKS - 1)
#define PLACE	(LSMPMON_PLACES - 1)

#define HELD_NS	(20 * NSEC_PER_MSEC)

/* Something that is waited for. */
#define A	0x1000UL
#define B	0x2000UL

static int waits_test_init(struct kunit *test)
{
	const int err = self_test_init(test);

	return err ?: lsmpmon_feature_switch(LSMPMON_FEATURE_WAITS, true);
}

static void waits_test_exit(struct kunit *test)
{
	lsmpmon_feature_switch(LSMPMON_FEATURE_WAITS, false);
	self_test_exit(test);
}

/* Waits of a kind in a row of a hook. */
static struct lsmpmon_wait waits_in(size_t hook, size_t row, enum lsmpmon_wait_kind kind)
{
	struct lsmpmon_wait total = { }, copy;
	struct lsmpmon_cpu *c;
	int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		if (!c->wait)
			continue;
		lsmpmon_copy(c, &c->wait[hook * LSMPMON_WAIT_ROWS + row].by_kind[kind],
			     &copy, sizeof(copy));
		total.count += copy.count;
		total.sum += copy.sum;
		total.max = max(total.max, copy.max);
	}
	return total;
}

/* Waits for locks of the monitor's own hook. */
static struct lsmpmon_wait self_waits(void)
{
	return waits_in(LSMPMON_HOOK_SELF, 0, LSMPMON_WAIT_LOCK);
}

/* A task that holds a mutex for a known time after another task began to wait. */
struct holder {
	struct mutex lock;	/* what the other task waits for */
	struct completion held, released;
	struct task_struct *waiter;
	u64 ticks;
};

static int hold_lock(void *data)
{
	struct holder *h = data;

	mutex_lock(&h->lock);
	complete(&h->held);
	while (READ_ONCE(h->waiter->__state) != TASK_UNINTERRUPTIBLE)
		usleep_range(100, 1000);
	h->ticks = pass_ns(HELD_NS);
	mutex_unlock(&h->lock);
	complete(&h->released);
	return 0;
}

/* The waiter waits for @held first, so it may be seen waiting for that. */
static void begin_to_hold(struct kunit *test, struct holder *h)
{
	mutex_init(&h->lock);
	init_completion(&h->held);
	init_completion(&h->released);
	h->waiter = current;
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(hold_lock, h, "holder")));
	while (!try_wait_for_completion(&h->held))
		cond_resched();
}

/* One wait more, at least as long as the lock was held after it began. */
static void expect_wait(struct kunit *test, const struct holder *h,
			const struct lsmpmon_wait *before,
			const struct lsmpmon_wait *after)
{
	KUNIT_EXPECT_EQ(test, after->count, before->count + 1);
	KUNIT_EXPECT_GE(test, after->sum - before->sum, h->ticks);
	KUNIT_EXPECT_GE(test, after->max, h->ticks);
	KUNIT_EXPECT_GE(test, lsmpmon_ticks_to_ns(h->ticks), HELD_NS);
}

static void wait_for_a_mutex_is_counted(struct kunit *test)
{
	const struct lsmpmon_wait before = self_waits();
	struct lsmpmon_cell cell, cell_before = self_cell(LSMPMON_ALLOW);
	struct lsmpmon_wait after;
	struct holder h;
	LSMPMON_FRAME(frame);

	begin_to_hold(test, &h);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	mutex_lock(&h.lock);
	lsmpmon_end(SELF, 0);
	mutex_unlock(&h.lock);
	wait_for_completion(&h.released);
	after = self_waits();
	cell = self_cell(LSMPMON_ALLOW);
	expect_wait(test, &h, &before, &after);
	KUNIT_EXPECT_LE(test, after.sum - before.sum,
			cell.times.cs_sum - cell_before.times.cs_sum);
}

/* Outside of hook calls. */
static void wait_of_nobody_is_not_counted(struct kunit *test)
{
	const struct lsmpmon_wait before = self_waits();
	const unsigned int waits = lsmpmon_of(current)->waits;
	struct holder h;

	begin_to_hold(test, &h);
	mutex_lock(&h.lock);
	mutex_unlock(&h.lock);
	wait_for_completion(&h.released);
	KUNIT_EXPECT_EQ(test, self_waits().count, before.count);
	KUNIT_EXPECT_EQ(test, lsmpmon_of(current)->waits, waits);
}

/* Wait in a hook call, between two others. */
static noinline void span_with_wait(void)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	empty_span();
	lsmpmon_wait_begins(A);
	spin_us(100);
	lsmpmon_wait_ends(A);
	empty_span();
	lsmpmon_end(SELF, 0);
}

/* A wait is of all hook calls that are open, and of no other. */
static void wait_is_of_each_open_span(struct kunit *test)
{
	const struct lsmpmon_wait before = self_waits();
	struct lsmpmon_wait after;
	LSMPMON_FRAME(outer);
	LSMPMON_FRAME(rejected);

	use_filter_once();
	lsmpmon_begin(&outer, LSMPMON_HOOK_SELF);
	lsmpmon_begin_decided(&rejected, LSMPMON_HOOK_SELF, false);
	span_with_wait();
	lsmpmon_wait_begins(A);
	lsmpmon_wait_ends(A);
	end_rejected(&rejected, 0);
	lsmpmon_end(SELF, 0);
	after = self_waits();
	KUNIT_EXPECT_EQ(test, after.count, before.count + 3);
	KUNIT_EXPECT_GE(test, lsmpmon_ticks_to_ns(after.sum - before.sum),
			2 * 100 * NSEC_PER_USEC);
}

static void wait_is_of_the_callback_in_progress(struct kunit *test)
{
	const struct lsmpmon_wait hook = waits_in(HOOK, 0, LSMPMON_WAIT_LOCK);
	const struct lsmpmon_wait before =
		waits_in(HOOK, PLACE + 1, LSMPMON_WAIT_LOCK);
	struct lsmpmon_wait after;
	struct holder h;
	LSMPMON_FRAME(frame);

	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, true);
	begin_to_hold(test, &h);
	lsmpmon_begin_decided(&frame, HOOK, true);
	lsmpmon_callback_at(&frame, PLACE);
	mutex_lock(&h.lock);
	lsmpmon_end_callback(&frame, 0);
	lsmpmon_wait_begins(A);
	lsmpmon_wait_ends(A);
	lsmpmon_end(LSMPMON_OFFSET(HOOK), 0);
	mutex_unlock(&h.lock);
	wait_for_completion(&h.released);
	after = waits_in(HOOK, PLACE + 1, LSMPMON_WAIT_LOCK);
	expect_wait(test, &h, &before, &after);
	KUNIT_EXPECT_EQ(test, waits_in(HOOK, 0, LSMPMON_WAIT_LOCK).count,
			hook.count + 1);
	lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, false);
}

/* While memory is reclaimed, a lock is waited for: each has its time. */
static void nested_waits_share_no_time(struct kunit *test)
{
	const struct lsmpmon_wait lock = self_waits();
	const struct lsmpmon_wait reclaim =
		waits_in(LSMPMON_HOOK_SELF, 0, LSMPMON_WAIT_RECLAIM);
	struct lsmpmon_wait locks, reclaims;
	LSMPMON_FRAME(frame);
	u64 begin, took;

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	begin = lsmpmon_clock();
	lsmpmon_wait_begins(LSMPMON_RECLAIM);
	spin_us(100);
	lsmpmon_wait_begins(A);
	spin_us(200);
	lsmpmon_wait_ends(A);
	spin_us(100);
	lsmpmon_wait_ends(LSMPMON_RECLAIM);
	took = lsmpmon_clock() - begin;
	lsmpmon_end(SELF, 0);
	locks = self_waits();
	reclaims = waits_in(LSMPMON_HOOK_SELF, 0, LSMPMON_WAIT_RECLAIM);
	KUNIT_EXPECT_EQ(test, locks.count, lock.count + 1);
	KUNIT_EXPECT_EQ(test, reclaims.count, reclaim.count + 1);
	KUNIT_EXPECT_GE(test, lsmpmon_ticks_to_ns(locks.sum - lock.sum),
			200 * NSEC_PER_USEC);
	KUNIT_EXPECT_GE(test, lsmpmon_ticks_to_ns(reclaims.sum - reclaim.sum),
			2 * 100 * NSEC_PER_USEC - 10);
	KUNIT_EXPECT_LE(test, locks.sum - lock.sum + reclaims.sum - reclaim.sum, took);
}

/* As a mutex does that stops spinning and sleeps. */
static void wait_that_begins_twice_is_one(struct kunit *test)
{
	const struct lsmpmon_wait before = self_waits();
	struct lsmpmon_wait after;
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_wait_begins(A);
	lsmpmon_wait_begins(B);
	lsmpmon_wait_ends(B);
	spin_us(100);
	lsmpmon_wait_begins(A);
	spin_us(100);
	lsmpmon_wait_begins(A);
	lsmpmon_wait_ends(A);
	lsmpmon_end(SELF, 0);
	after = self_waits();
	KUNIT_EXPECT_EQ(test, after.count, before.count + 2);
	KUNIT_EXPECT_GE(test, lsmpmon_ticks_to_ns(after.max),
			2 * 100 * NSEC_PER_USEC - 10);
}

/* What did not end, in a call before this one, is not taken for a wait of this one. */
static void half_of_a_wait_is_none(struct kunit *test)
{
	const struct lsmpmon_wait before = self_waits();
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_wait_ends(A);
	lsmpmon_wait_begins(A);
	lsmpmon_end(SELF, 0);
	spin_us(100);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_wait_ends(A);
	KUNIT_EXPECT_EQ(test, self_waits().count, before.count);
	lsmpmon_wait_begins(A);
	lsmpmon_wait_ends(A);
	lsmpmon_end(SELF, 0);
	KUNIT_EXPECT_EQ(test, self_waits().count, before.count + 1);
}

static void waits_of_another_period_are_dropped(struct kunit *test)
{
	LSMPMON_FRAME(frame);
	u64 lost;

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_wait_begins(A);
	lsmpmon_feature_switch(LSMPMON_FEATURE_WAITS, false);
	lsmpmon_feature_switch(LSMPMON_FEATURE_WAITS, true);
	lost = lsmpmon_lost();
	lsmpmon_wait_ends(A);
	lsmpmon_end(SELF, 0);
	KUNIT_EXPECT_EQ(test, self_waits().count, 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost);
}

static void wait_that_has_no_room_is_lost(struct kunit *test)
{
	const struct lsmpmon_wait before = self_waits();
	const u64 lost = lsmpmon_lost();
	LSMPMON_FRAME(frame);
	unsigned long i;

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	for (i = 0; i <= LSMPMON_WAITS; i++)
		lsmpmon_wait_begins(A + i);
	while (i--)
		lsmpmon_wait_ends(A + i);
	lsmpmon_end(SELF, 0);
	KUNIT_EXPECT_EQ(test, self_waits().count, before.count + LSMPMON_WAITS);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost + 1);
	KUNIT_EXPECT_EQ(test, lsmpmon_of(current)->waits, 0);
}

static void wait_outside(struct striker *s)
{
	lsmpmon_wait_begins(B);
	spin_us(100);
	lsmpmon_wait_ends(B);
}

static void wait_in_a_hook_call(struct striker *s)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	wait_outside(s);
	lsmpmon_end(SELF, 0);
}

/* Wait in a hook call, and be interrupted; false if there was no interrupt. */
static bool wait_is_struck(struct striker *s, enum hrtimer_mode mode)
{
	LSMPMON_FRAME(frame);
	bool struck;

	migrate_disable();
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_wait_begins(A);
	struck = be_struck(s, mode);
	lsmpmon_wait_ends(A);
	lsmpmon_end(SELF, 0);
	migrate_enable();
	return struck;
}

static void wait_of_an_interrupt_is_its_own(struct kunit *test)
{
	static const enum hrtimer_mode modes[] = {
		HRTIMER_MODE_REL_PINNED_HARD, HRTIMER_MODE_REL_PINNED_SOFT,
	};
	int i;

	for (i = 0; i < 2 * ARRAY_SIZE(modes); i++) {
		const struct lsmpmon_wait before = self_waits();
		struct striker s = { .act = i % 2 ? wait_in_a_hook_call : wait_outside };

		KUNIT_ASSERT_TRUE(test, wait_is_struck(&s, modes[i / 2]));
		KUNIT_EXPECT_EQ_MSG(test, self_waits().count,
				    before.count + 1 + i % 2, "case %d", i);
		KUNIT_EXPECT_EQ(test, lsmpmon_of(current)->waits, 0);
	}
}

static void reset_zeroes_waits(struct kunit *test)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_wait_begins(A);
	lsmpmon_wait_ends(A);
	KUNIT_EXPECT_GT(test, self_waits().count, 0);
	lsmpmon_reset();
	KUNIT_EXPECT_EQ(test, self_waits().count, 0);
	KUNIT_EXPECT_EQ(test, self_waits().sum, 0);
	KUNIT_EXPECT_EQ(test, self_waits().max, 0);
	lsmpmon_end(SELF, 0);
}

static void off_means_no_probes_and_no_memory(struct kunit *test)
{
	const size_t with = lsmpmon_memory();

	KUNIT_EXPECT_TRUE(test, trace_contention_begin_enabled());
	KUNIT_EXPECT_TRUE(test, trace_contention_end_enabled());
	lsmpmon_feature_switch(LSMPMON_FEATURE_WAITS, false);
	KUNIT_EXPECT_FALSE(test, trace_contention_begin_enabled());
	KUNIT_EXPECT_FALSE(test, trace_contention_end_enabled());
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(),
			with - num_online_cpus() * LSMPMON_WAIT_SIZE);
}

static int no_memory(void)
{
	return -ENOMEM;
}

static void without_probes_it_stays_off(struct kunit *test)
{
	size_t before;
	int err;

	lsmpmon_feature_switch(LSMPMON_FEATURE_WAITS, false);
	before = lsmpmon_memory();
	WRITE_ONCE(lsmpmon_injected[LSMPMON_REGISTERING], no_memory);
	err = lsmpmon_feature_switch(LSMPMON_FEATURE_WAITS, true);
	WRITE_ONCE(lsmpmon_injected[LSMPMON_REGISTERING], NULL);
	KUNIT_EXPECT_EQ(test, err, -ENOMEM);
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(), before);
	KUNIT_EXPECT_FALSE(test, trace_contention_begin_enabled());
}

static struct kunit_case waits_cases[] = {
	KUNIT_CASE(wait_for_a_mutex_is_counted),
	KUNIT_CASE(wait_of_nobody_is_not_counted),
	KUNIT_CASE(wait_is_of_each_open_span),
	KUNIT_CASE(wait_is_of_the_callback_in_progress),
	KUNIT_CASE(nested_waits_share_no_time),
	KUNIT_CASE(wait_that_begins_twice_is_one),
	KUNIT_CASE(half_of_a_wait_is_none),
	KUNIT_CASE(waits_of_another_period_are_dropped),
	KUNIT_CASE(wait_that_has_no_room_is_lost),
	KUNIT_CASE(wait_of_an_interrupt_is_its_own),
	KUNIT_CASE(reset_zeroes_waits),
	KUNIT_CASE(off_means_no_probes_and_no_memory),
	KUNIT_CASE(without_probes_it_stays_off),
	{}
};

static struct kunit_suite waits_suite = {
	.name = "lsmpmon_waits",
	.init = waits_test_init,
	.exit = waits_test_exit,
	.test_cases = waits_cases,
};

kunit_test_suite(waits_suite);
