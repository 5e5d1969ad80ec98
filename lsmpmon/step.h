/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the step of the clock
 */

#ifndef _SECURITY_LSMPMON_STEP_H
#define _SECURITY_LSMPMON_STEP_H

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

void lsmpmon_step_add(struct lsmpmon_steps *steps, u64 difference);
unsigned int lsmpmon_step(const struct lsmpmon_steps *steps);
unsigned int lsmpmon_measure_step(void);

#endif /* _SECURITY_LSMPMON_STEP_H */
