/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the monitor measures itself
 */

#ifndef _SECURITY_LSMPMON_CALIBRATE_H
#define _SECURITY_LSMPMON_CALIBRATE_H

/**
 * struct lsmpmon_calibration - measurements of the monitor itself
 * @clock_step: ticks by which the clock advances at a time
 * @overhead: average ticks of an empty span
 * @overhead_min: least ticks of an empty span
 */
struct lsmpmon_calibration {
	unsigned int clock_step;
	unsigned int overhead;
	unsigned int overhead_min;
};

const struct lsmpmon_calibration *lsmpmon_calibrate(void);

#endif /* _SECURITY_LSMPMON_CALIBRATE_H */
