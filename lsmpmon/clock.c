// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the rate of the clock
 */

#include <linux/bits.h>
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/math64.h>

#include "clock.h"

#define RATE_NS		(10 * NSEC_PER_MSEC)
#define RATE_TRIES	16

#define NS_SHIFT	22

/* Measured rate of the clock, used if the kernel does not know the rate. */
static unsigned int measured_khz __ro_after_init;

/*
 * Nanoseconds per tick, times 2^NS_SHIFT, below the rate it was computed for: in one word,
 * so that no reader takes the one without the other.
 */
static u64 ns_factor __read_mostly;

/* Read both clocks at the same moment: take the try with the least delay. */
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
 * lsmpmon_clock_init - measure the rate of the clock if the kernel does not know it
 *
 * Context: late in the boot, before user space.
 */
void __init lsmpmon_clock_init(void)
{
	if (!lsmpmon_clock_rate())
		measured_khz = lsmpmon_measure_rate();
}

/**
 * lsmpmon_clock_khz - rate of the clock
 *
 * Context: any.
 * Return: ticks per millisecond; 0 if it has not been measured yet.
 */
unsigned int lsmpmon_clock_khz(void)
{
	return lsmpmon_clock_rate() ?: measured_khz;
}

/* The rate has changed.  Concurrent callers may store that of another moment. */
static noinline u64 lsmpmon_update_ns_factor(unsigned int khz)
{
	const u64 factor = div_u64((u64)NSEC_PER_MSEC << NS_SHIFT, khz);

	WRITE_ONCE(ns_factor, (u64)khz << 32 | (u32)factor);
	return factor;
}

/*
 * Nanoseconds per tick, times 2^NS_SHIFT.  Divides only if the rate has changed, or on 32
 * bits, where the two halves of @ns_factor are not read at once.
 */
static u32 lsmpmon_ns_factor(unsigned int khz)
{
	const u64 factor = BITS_PER_LONG == 64 ? READ_ONCE(ns_factor) : 0;

	if (unlikely(factor >> 32 != khz))
		return lsmpmon_update_ns_factor(khz);
	return factor;
}

/**
 * lsmpmon_ticks_to_ns - convert a duration to nanoseconds
 * @ticks: the duration in ticks
 *
 * Context: any.
 * Return: the duration in nanoseconds; 0 if the rate is not known yet.
 */
u64 lsmpmon_ticks_to_ns(u64 ticks)
{
	const unsigned int khz = lsmpmon_clock_khz();

	if (unlikely(!khz))
		return 0;
	return mul_u64_u32_shr(ticks, lsmpmon_ns_factor(khz), NS_SHIFT);
}

/**
 * lsmpmon_ns_to_ticks - convert a duration to ticks
 * @ns: the duration in nanoseconds
 *
 * Context: any; divides, so not for the hot path.
 * Return: the duration in ticks; 0 if the rate is not known yet.
 */
u64 lsmpmon_ns_to_ticks(u64 ns)
{
	return mul_u64_u32_div(ns, lsmpmon_clock_khz(), NSEC_PER_MSEC);
}
