// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: delays of hooks
 *
 * A wait ends by the clock.  Short waits, and the rest of a wait once another
 * reading of the clock would take too long, are a number of rounds calibrated
 * at boot.  Nothing ends a wait early.  Interrupts and preemption stay enabled;
 * time in which the task did not run counts.
 */

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "burden.h"
#include "delay.h"
#include "fault.h"
#include "scope.h"

unsigned long tunable_delays[TUNABLE_CELLS];
bool tunable_is_set[TUNABLE_CELLS];
bool tunable_is_burdened[TUNABLE_CELLS];

DEFINE_PER_CPU(unsigned long[TUNABLE_CELLS], tunable_calls);
static DEFINE_PER_CPU(unsigned long[TUNABLE_CELLS], tunable_waits);
static atomic64_t tunable_waited_ns[TUNABLE_CELLS];

/* Rounds of spin() in 1024 ns. */
static unsigned long spin_rate __ro_after_init;

/* Time of one reading of the clock. */
static s64 reading_ns __ro_after_init;

/* Time of a call besides waiting, with the clock and without. */
static s64 clocked_own_ns __ro_after_init, spun_own_ns __ro_after_init;

/* Waits up to this length are a number of rounds. */
#define SHORT_NS	500

/* While more than this is left, other tasks may run. */
#define FAR_NS	2000

/**
 * tunable_parse_number - parse a number
 * @text: a decimal number and nothing else
 * @most: the largest number that is accepted
 * @number: set to the number
 *
 * Return: 0; -EINVAL if it is not a number or above @most.
 */
int tunable_parse_number(const char *text, unsigned long most,
			 unsigned long *number)
{
	unsigned long value;

	/* kstrtoul() also accepts a sign and a newline. */
	if (!isdigit(*text) || strchr(text, '\n'))
		return -EINVAL;
	if (kstrtoul(text, 10, &value) || value > most)
		return -EINVAL;
	*number = value;
	return 0;
}

/**
 * tunable_parse_ns - parse a delay
 * @text: a decimal number and nothing else
 * @ns: set to the delay
 *
 * Return: 0; -EINVAL if it is not a number or above TUNABLE_MAX_NS.
 */
int tunable_parse_ns(const char *text, unsigned long *ns)
{
	return tunable_parse_number(text, TUNABLE_MAX_NS, ns);
}

/**
 * tunable_note_settings - note that the delay or a burden of a hook has changed
 * @hook: the hook
 *
 * Context: any; the caller serialises changes.
 */
void tunable_note_settings(enum tunable_hook hook)
{
	const bool burdened = tunable_has_burden(hook);

	WRITE_ONCE(tunable_is_burdened[hook], burdened);
	WRITE_ONCE(tunable_is_set[hook], burdened || tunable_delays[hook]);
}

/* Signed, since timekeeping may step this clock back a little. */
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
 * tunable_wait - wait for some time
 * @begin: start of the wait by ktime_get_mono_fast_ns()
 * @ns: how long, including what tunable_meet() itself takes
 * @may_sleep: other tasks may run instead
 *
 * Context: any.
 * Return: how long it took, including the call itself: at least @ns.
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
	/* From here on, cpu_relax() would take longer than the rest. */
	while (waited < end - reading_ns)
		waited = since(begin);
	spin(end - waited);
	return max(waited, end) + clocked_own_ns;
}

/* Like tunable_wait(), for times shorter than two readings of the clock. */
static u64 wait_shortly(unsigned long ns)
{
	spin((s64)ns - spun_own_ns);
	return ns;
}

/* The statistics are updated while the time runs. */
static void meet_clocked(enum tunable_hook hook, unsigned long ns, bool may_sleep)
{
	const u64 begin = ktime_get_mono_fast_ns();

	this_cpu_inc(tunable_waits[hook]);
	atomic64_add(ns, &tunable_waited_ns[hook]);
	atomic64_add(tunable_wait(begin, ns, may_sleep) - ns,
		     &tunable_waited_ns[hook]);
}

/**
 * tunable_meet - wait in a hook, if the call is in the scope
 * @hook: the hook
 * @inode: the object
 * @may_sleep: other tasks may run instead; else the hook's burdens are ignored
 *
 * Context: any.
 */
void tunable_meet(enum tunable_hook hook, const struct inode *inode, bool may_sleep)
{
	const unsigned long ns = READ_ONCE(tunable_delays[hook]);

	if (!tunable_in_scope(inode))
		return;
	tunable_fault();
	if (unlikely(READ_ONCE(tunable_is_burdened[hook])) && may_sleep)
		tunable_bear(hook);
	if (!ns)
		return;
	if (ns > SHORT_NS) {
		meet_clocked(hook, ns, may_sleep);
		return;
	}
	this_cpu_inc(tunable_waits[hook]);
	atomic64_add(wait_shortly(ns), &tunable_waited_ns[hook]);
}

/**
 * tunable_has_to_sleep - whether a call that may not sleep should
 * @hook: the hook
 * @inode: the object
 *
 * Context: any.
 * Return: true if the hook has a burden, and the call is in the scope.
 */
bool tunable_has_to_sleep(enum tunable_hook hook, const struct inode *inode)
{
	return unlikely(READ_ONCE(tunable_is_burdened[hook])) &&
	       tunable_in_scope(inode);
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

/* Least time of REPETITIONS calls, of several tries. */
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

/* How much longer a call takes than its delay. */
static s64 __init excess(s64 ns)
{
	WRITE_ONCE(tunable_delays[TUNABLE_HOOK_SELF], ns);
	return max_t(s64, div_s64(own_time_of(meet), REPETITIONS) - ns, 0);
}

/**
 * tunable_calibrate - measure the overhead of a wait and the rate of spinning
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
 * tunable_read_stats - read the statistics of a hook
 * @hook: the hook
 * @stats: set to its statistics
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
