// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: how long which hook waits
 *
 * A wait ends by the clock.  What is too short for that, and what is left when
 * one more reading would be too long, is a number of rounds that was found at
 * boot.  Nothing ends a wait early.  Interrupts and preemption stay on; time in
 * which the task did not run counts.
 */

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "delay.h"
#include "scope.h"

unsigned long tunable_delays[TUNABLE_CELLS];

DEFINE_PER_CPU(unsigned long[TUNABLE_CELLS], tunable_calls);
static DEFINE_PER_CPU(unsigned long[TUNABLE_CELLS], tunable_waits);
static atomic64_t tunable_waited_ns[TUNABLE_CELLS];

/* Rounds of spin() in 1024 ns. */
static unsigned long spin_rate __ro_after_init;

/* What one reading of the clock takes. */
static s64 reading_ns __ro_after_init;

/* What a call takes besides waiting, by the clock and without it. */
static s64 clocked_own_ns __ro_after_init, spun_own_ns __ro_after_init;

/* Up to that, a wait ends after a number of rounds. */
#define SHORT_NS	500

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

static noinline void rounds(unsigned long number)
{
	while (number--)
		barrier();
}

static void spin(s64 ns)
{
	if (ns > 0)
		rounds(ns * spin_rate >> 10);
}

/**
 * tunable_wait - wait until some time has passed
 * @begin: ktime_get_mono_fast_ns() from when on
 * @ns: how long; what a call of tunable_meet() takes besides is part of it
 * @may_sleep: other tasks may run instead
 *
 * Context: any.
 * Return: how long it was, what the call takes besides included: at least @ns.
 */
u64 tunable_wait(u64 begin, unsigned long ns, bool may_sleep)
{
	const s64 end = (s64)ns - clocked_own_ns;
	s64 waited = since(begin);

	while (waited < end - FAR_NS) {
		if (may_sleep)
			cond_resched();
		cpu_relax();
		waited = since(begin);
	}
	/* From here on, cpu_relax() would be longer than what is to be waited. */
	while (waited < end - reading_ns)
		waited = since(begin);
	spin(end - waited);
	return max(waited, end) + clocked_own_ns;
}

/* As tunable_wait(), for what two readings of the clock may be too long for. */
static u64 wait_shortly(unsigned long ns)
{
	spin((s64)ns - spun_own_ns);
	return ns;
}

/* What is to be done besides is done while it waits. */
static void meet_clocked(enum tunable_hook hook, unsigned long ns, bool may_sleep)
{
	const u64 begin = ktime_get_mono_fast_ns();

	this_cpu_inc(tunable_waits[hook]);
	atomic64_add(ns, &tunable_waited_ns[hook]);
	atomic64_add(tunable_wait(begin, ns, may_sleep) - ns,
		     &tunable_waited_ns[hook]);
}

/**
 * tunable_meet - wait in a hook that is to wait, if the scope has this call
 * @hook: which
 * @inode: the object
 * @may_sleep: other tasks may run instead
 *
 * Context: any.
 */
void tunable_meet(enum tunable_hook hook, const struct inode *inode, bool may_sleep)
{
	const unsigned long ns = READ_ONCE(tunable_delays[hook]);

	if (!tunable_in_scope(inode))
		return;
	if (ns > SHORT_NS) {
		meet_clocked(hook, ns, may_sleep);
		return;
	}
	this_cpu_inc(tunable_waits[hook]);
	atomic64_add(wait_shortly(ns), &tunable_waited_ns[hook]);
}

#define REPETITIONS	64
#define TRIES		16
#define ROUNDS		1024

static void __init nothing(void)
{
}

static void __init read_clock(void)
{
	ktime_get_mono_fast_ns();
}

static void __init spin_rounds(void)
{
	rounds(ROUNDS);
}

static void __init meet(void)
{
	tunable_meet(TUNABLE_HOOK_SELF, NULL, false);
}

/* The least that so many of them take. */
static s64 __init time_of(void (*act)(void))
{
	s64 least = S64_MAX;
	int try, i;

	for (try = 0; try < TRIES; try++) {
		const u64 begin = ktime_get_mono_fast_ns();

		for (i = 0; i < REPETITIONS; i++)
			act();
		least = min(least, since(begin));
	}
	return least;
}

static s64 __init own_time_of(void (*act)(void))
{
	return max_t(s64, time_of(act) - time_of(nothing), 1);
}

/* How much longer a call is than it is told to be. */
static s64 __init excess(s64 ns)
{
	WRITE_ONCE(tunable_delays[TUNABLE_HOOK_SELF], ns);
	return max_t(s64, div_s64(own_time_of(meet), REPETITIONS) - ns, 0);
}

/**
 * tunable_calibrate - find out what waiting takes besides, and how to spin
 */
void __init tunable_calibrate(void)
{
	reading_ns = div_s64(own_time_of(read_clock), REPETITIONS);
	spin_rate = div64_u64(1024UL * ROUNDS * REPETITIONS,
			      own_time_of(spin_rounds));
	clocked_own_ns = excess(4 * SHORT_NS);
	spun_own_ns = excess(SHORT_NS);
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
