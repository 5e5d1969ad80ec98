/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the monitor measures itself
 */

#ifndef _SECURITY_LSMPMON_CALIBRATE_H
#define _SECURITY_LSMPMON_CALIBRATE_H

/**
 * struct lsmpmon_calibration - what was measured at boot
 * @overhead: ticks that an empty span reads, on average
 * @overhead_min: the same, minimum
 */
struct lsmpmon_calibration {
	unsigned int overhead;
	unsigned int overhead_min;
};

extern struct lsmpmon_calibration lsmpmon_calibration;

void lsmpmon_calibrate(void);

#endif /* _SECURITY_LSMPMON_CALIBRATE_H */
