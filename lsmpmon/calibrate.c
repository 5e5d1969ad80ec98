// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the monitor measures itself
 */

#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sort.h>

#include "calibrate.h"
#include "clock.h"
#include "span.h"

#define SAMPLES		101
#define SPANS		100
#define RATE_NS		(10 * NSEC_PER_MSEC)
#define RATE_TRIES	16

struct lsmpmon_calibration lsmpmon_calibration __ro_after_init;

/* Read both clocks at once: use the least disturbed of several tries. */
static void __init both_clocks(u64 *ticks, u64 *ns)
{
	u64 best = U64_MAX;
	int i;

	for (i = 0; i < RATE_TRIES; i++) {
		u64 before = lsmpmon_clock();
		u64 now = ktime_get_ns();
		u64 took = lsmpmon_clock() - before;

		if (took >= best)
			continue;
		best = took;
		*ticks = before + took / 2;
		*ns = now;
	}
}

static unsigned int __init measure_rate(void)
{
	u64 ticks, ns, then_ticks, then_ns;

	both_clocks(&then_ticks, &then_ns);
	do {
		both_clocks(&ticks, &ns);
	} while (ns - then_ns < RATE_NS);
	return div64_u64((ticks - then_ticks) * 1000000, ns - then_ns);
}

/* One empty span over the very code that measures hooks. */
static unsigned int __init empty_span(void)
{
	const struct lsmpmon_cell *self;
	u64 before, ticks;

	preempt_disable();
	self = this_cpu_ptr(&lsmpmon_cpu)->cell[LSMPMON_HOOK_SELF];
	before = self->sum;
	lsmpmon_enter();
	lsmpmon_exit(LSMPMON_OFFSET(LSMPMON_HOOK_SELF), 0);
	ticks = READ_ONCE(self->sum) - before;
	preempt_enable();
	return ticks;
}

/*
 * The average of several spans, rounded down like those of hooks.  If the
 * clock is coarse, only the average is right: single spans read multiples of
 * its step.
 */
static unsigned int __init average_span(unsigned int *min)
{
	unsigned int i, ticks, sum = 0;

	for (i = 0; i < SPANS; i++) {
		ticks = empty_span();
		*min = min(*min, ticks);
		sum += ticks;
	}
	return sum / SPANS;
}

static int __init compare(const void *a, const void *b)
{
	unsigned int left = *(const unsigned int *)a;
	unsigned int right = *(const unsigned int *)b;

	return (left > right) - (left < right);
}

/* Take the median of several averages, which disturbances hardly affect. */
static void __init sample_spans(void)
{
	static unsigned int sample[SAMPLES] __initdata;
	unsigned int least = UINT_MAX;
	int i;

	for (i = 0; i < SAMPLES; i++)
		sample[i] = average_span(&least);
	sort(sample, SAMPLES, sizeof(*sample), compare, NULL);
	lsmpmon_calibration.overhead = sample[SAMPLES / 2];
	lsmpmon_calibration.overhead_min = least;
}

/* Before there are files to switch with. */
static void __init measure_overhead(void)
{
	const unsigned int paused = lsmpmon_paused;

	WRITE_ONCE(lsmpmon_paused, false);
	sample_spans();
	WRITE_ONCE(lsmpmon_paused, paused);
	if (!paused)
		return;
	/* Others recorded, too, if trace events have hooks watched. */
	synchronize_rcu();
	lsmpmon_store_wipe();
}

/**
 * lsmpmon_calibrate - measure the clock's rate and the empty span
 *
 * Context: late in the boot, before user space.
 */
void __init lsmpmon_calibrate(void)
{
	unsigned int khz = lsmpmon_clock_rate() ?: measure_rate();

	lsmpmon_calibration.clock_khz = khz;
	lsmpmon_calibration.ns_factor =
		div64_u64((u64)NSEC_PER_MSEC << LSMPMON_NS_SHIFT, khz);
	measure_overhead();
}
