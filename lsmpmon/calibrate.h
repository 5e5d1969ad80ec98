/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the monitor measures itself
 */

#ifndef _SECURITY_LSMPMON_CALIBRATE_H
#define _SECURITY_LSMPMON_CALIBRATE_H

/**
 * struct lsmpmon_calibration - measurements of the boot
 * @overhead: average ticks of an empty span
 * @overhead_min: least ticks of an empty span
 */
struct lsmpmon_calibration {
	unsigned int overhead;
	unsigned int overhead_min;
};

extern struct lsmpmon_calibration lsmpmon_calibration;

void lsmpmon_calibrate(void);

#endif /* _SECURITY_LSMPMON_CALIBRATE_H */
