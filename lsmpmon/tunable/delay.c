// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: how long which hook waits
 *
 * A wait ends by the clock and not after a number of rounds.  Nothing ends it
 * early.  Interrupts and preemption stay on; time in which the task did not
 * run counts.
 */

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "delay.h"
#include "scope.h"

unsigned long tunable_delays[TUNABLE_HOOKS];

DEFINE_PER_CPU(unsigned long[TUNABLE_HOOKS], tunable_calls);
static DEFINE_PER_CPU(unsigned long[TUNABLE_HOOKS], tunable_waits);
static atomic64_t tunable_waited_ns[TUNABLE_HOOKS];

/* What a wait takes on top of what its own clock shows. */
static s64 wait_own_ns __ro_after_init;

/* As long as there is more than that to wait, there is time for others. */
#define FAR_NS	2000

/**
 * tunable_parse_ns - a time to wait
 * @text: a decimal number, and nothing else
 * @ns: where it goes
 *
 * Return: 0; -EINVAL if it is none, or more than TUNABLE_MAX_NS.
 */
int tunable_parse_ns(const char *text, unsigned long *ns)
{
	unsigned long value;

	/* What kstrtoul() lets pass besides. */
	if (!isdigit(*text) || strchr(text, '\n'))
		return -EINVAL;
	if (kstrtoul(text, 10, &value) || value > TUNABLE_MAX_NS)
		return -EINVAL;
	*ns = value;
	return 0;
}

/* It may be set back a little where the time is kept, so it has a sign. */
static s64 since(u64 begin)
{
	return ktime_get_mono_fast_ns() - begin;
}

/**
 * tunable_wait - wait until some time has passed
 * @begin: ktime_get_mono_fast_ns() from when on
 * @ns: how long, reading the clock included
 * @may_sleep: other tasks may run instead
 *
 * Context: any.
 * Return: how long it was, at least @ns.
 */
u64 tunable_wait(u64 begin, unsigned long ns, bool may_sleep)
{
	const s64 end = (s64)ns - wait_own_ns;
	s64 waited;

	while (since(begin) < end - FAR_NS) {
		if (may_sleep)
			cond_resched();
		cpu_relax();
	}
	/* From here on, cpu_relax() would be longer than what is to be waited. */
	do {
		waited = since(begin);
	} while (waited < end);
	return waited + wait_own_ns;
}

/**
 * tunable_meet - wait in a hook that is to wait, if the scope has this call
 * @hook: which
 * @inode: the object
 * @may_sleep: other tasks may run instead
 *
 * What is to be done besides is done while it waits; it counts at last only
 * what is in the cache by then.
 *
 * Context: any.
 */
void tunable_meet(enum tunable_hook hook, const struct inode *inode, bool may_sleep)
{
	const u64 begin = ktime_get_mono_fast_ns();
	const unsigned long ns = READ_ONCE(tunable_delays[hook]);

	if (!tunable_in_scope(inode))
		return;
	this_cpu_inc(tunable_waits[hook]);
	atomic64_add(ns, &tunable_waited_ns[hook]);
	atomic64_add(tunable_wait(begin, ns, may_sleep) - ns,
		     &tunable_waited_ns[hook]);
}

#define READINGS	64
#define TRIES		16

/**
 * tunable_calibrate - find out what a wait takes that its clock does not show
 *
 * That is one reading of the clock, half of it before the wait begins and half
 * after it has ended; and that the end is seen half a round late on average.
 */
void __init tunable_calibrate(void)
{
	s64 least = S64_MAX;
	int try, i;

	for (try = 0; try < TRIES; try++) {
		const u64 begin = ktime_get_mono_fast_ns();
		s64 took = 0;

		for (i = 0; i < READINGS; i++)
			took = since(begin);
		least = min(least, took);
	}
	wait_own_ns = max_t(s64, least, 0) * 3 / 2 / READINGS;
}

/**
 * tunable_read_stats - what has become of the calls of a hook
 * @hook: which
 * @stats: where it goes
 */
void tunable_read_stats(enum tunable_hook hook, struct tunable_stats *stats)
{
	int cpu;

	memset(stats, 0, sizeof(*stats));
	for_each_possible_cpu(cpu) {
		stats->calls += READ_ONCE(per_cpu(tunable_calls, cpu)[hook]);
		stats->waits += READ_ONCE(per_cpu(tunable_waits, cpu)[hook]);
	}
	stats->waited_ns = atomic64_read(&tunable_waited_ns[hook]);
}
