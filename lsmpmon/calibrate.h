/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the monitor measures itself
 */

#ifndef _SECURITY_LSMPMON_CALIBRATE_H
#define _SECURITY_LSMPMON_CALIBRATE_H

#include <linux/math64.h>
#include <linux/types.h>

/**
 * struct lsmpmon_calibration - what was measured at boot
 * @clock_khz: rate of the clock
 * @ns_factor: nanoseconds per tick, times 2^LSMPMON_NS_SHIFT
 * @overhead: ticks that an empty span reads, on average
 * @overhead_min: the same, minimum
 */
struct lsmpmon_calibration {
	unsigned int clock_khz;
	u32 ns_factor;
	unsigned int overhead;
	unsigned int overhead_min;
};

#define LSMPMON_NS_SHIFT	22

extern struct lsmpmon_calibration lsmpmon_calibration;

/* Context: any, after calibration; before it, zero. */
static inline u64 lsmpmon_ticks_to_ns(u64 ticks)
{
	return mul_u64_u32_shr(ticks, lsmpmon_calibration.ns_factor,
			       LSMPMON_NS_SHIFT);
}

void lsmpmon_calibrate(void);

#endif /* _SECURITY_LSMPMON_CALIBRATE_H */
