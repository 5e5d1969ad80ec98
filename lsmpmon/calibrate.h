/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the monitor measures itself
 */

#ifndef _SECURITY_LSMPMON_CALIBRATE_H
#define _SECURITY_LSMPMON_CALIBRATE_H

#include <linux/types.h>

/**
 * struct lsmpmon_steps - what differences of successive readings say of the clock
 * @least: the least of them that is not 0; 0 before the first
 * @common: their greatest common divisor
 * @repeats: two readings were equal
 */
struct lsmpmon_steps {
	unsigned long least;
	unsigned long common;
	bool repeats;
};

/**
 * struct lsmpmon_calibration - what was measured at boot
 * @step: ticks by which the clock moves at a time
 * @overhead: ticks that an empty span reads, on average
 * @overhead_min: the same, minimum
 */
struct lsmpmon_calibration {
	unsigned int step;
	unsigned int overhead;
	unsigned int overhead_min;
};

extern struct lsmpmon_calibration lsmpmon_calibration;

void lsmpmon_step_add(struct lsmpmon_steps *steps, u64 difference);
unsigned int lsmpmon_step(const struct lsmpmon_steps *steps);
void lsmpmon_calibrate(void);

#endif /* _SECURITY_LSMPMON_CALIBRATE_H */
