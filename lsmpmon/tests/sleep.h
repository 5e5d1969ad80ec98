/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: known sleeps for its KUnit tests
 *
 * Where the host lets a virtual CPU wait, jiffies are late, and msleep() ends early by
 * the clock.  So another thread wakes the one that sleeps, and measures for how long it
 * saw that thread asleep.
 */

#ifndef _SECURITY_LSMPMON_TESTS_SLEEP_H
#define _SECURITY_LSMPMON_TESTS_SLEEP_H

#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "../clock.h"

#define SLEPT_NS	(20 * NSEC_PER_MSEC)

/* A sleep of the current task: for @ticks at least, which is set before it ends. */
struct known_sleep {
	struct task_struct *sleeper;
	struct completion over;
	u64 ticks;
};

/* Let a time pass by the clock, and return how much has passed, in ticks. */
static inline u64 pass_ns(u64 ns)
{
	const u64 begin = lsmpmon_clock();
	u64 ticks;

	do {
		usleep_range(1000, 2000);
		ticks = lsmpmon_clock() - begin;
	} while (lsmpmon_ticks_to_ns(ticks) < ns);
	return ticks;
}

/* Without SMP, wait_task_inactive() does not look at the task. */
static inline bool is_asleep(struct task_struct *task)
{
	return READ_ONCE(task->__state) == TASK_UNINTERRUPTIBLE &&
	       wait_task_inactive(task, TASK_UNINTERRUPTIBLE);
}

static inline int wake_sleeper(void *data)
{
	struct known_sleep *s = data;

	while (!is_asleep(s->sleeper))
		usleep_range(100, 1000);
	s->ticks = pass_ns(SLEPT_NS);
	complete(&s->over);
	return 0;
}

/* Start the thread that ends the next sleep of the current task: sleep_as_known(). */
static inline void prepare_sleep(struct kunit *test, struct known_sleep *s)
{
	s->sleeper = current;
	init_completion(&s->over);
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(wake_sleeper, s, "waker")));
}

static inline void sleep_as_known(struct known_sleep *s)
{
	wait_for_completion(&s->over);
}

#endif /* _SECURITY_LSMPMON_TESTS_SLEEP_H */
