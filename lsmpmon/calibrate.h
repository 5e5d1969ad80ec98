/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the monitor measures itself
 */

#ifndef _SECURITY_LSMPMON_CALIBRATE_H
#define _SECURITY_LSMPMON_CALIBRATE_H

#include <linux/types.h>

/**
 * struct lsmpmon_steps - differences of successive readings of the clock
 * @least: least difference above 0; 0 before the first
 * @common: greatest common divisor of the differences
 * @repeats: whether two readings were equal
 */
struct lsmpmon_steps {
	unsigned long least;
	unsigned long common;
	bool repeats;
};

/**
 * struct lsmpmon_calibration - measurements of the boot
 * @step: ticks by which the clock advances at a time
 * @overhead: average ticks of an empty span
 * @overhead_min: least ticks of an empty span
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
