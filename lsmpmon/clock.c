// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the rate of the clock
 */

#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/math64.h>

#include "clock.h"

#define RATE_NS		(10 * NSEC_PER_MSEC)
#define RATE_TRIES	16

struct lsmpmon_rate lsmpmon_rate __ro_after_init;

/* A moment on both clocks: of some tries the one that was disturbed least. */
static void __init lsmpmon_both_clocks(u64 *ticks, u64 *ns)
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

static unsigned int __init lsmpmon_measure_rate(void)
{
	u64 ticks, ns, then_ticks, then_ns;

	lsmpmon_both_clocks(&then_ticks, &then_ns);
	do {
		lsmpmon_both_clocks(&ticks, &ns);
	} while (ns - then_ns < RATE_NS);
	return div64_u64((ticks - then_ticks) * 1000000, ns - then_ns);
}

/**
 * lsmpmon_clock_init - find out the rate of the clock
 *
 * Context: late in the boot, before user space.
 */
void __init lsmpmon_clock_init(void)
{
	lsmpmon_rate.khz = lsmpmon_clock_rate() ?: lsmpmon_measure_rate();
	lsmpmon_rate.ns_factor =
		div64_u64((u64)NSEC_PER_MSEC << LSMPMON_NS_SHIFT,
			  lsmpmon_rate.khz);
}
