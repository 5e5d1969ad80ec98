// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the step of the clock
 */

#include <linux/compiler.h>
#include <linux/gcd.h>
#include <linux/limits.h>
#include <linux/processor.h>

#include "clock.h"
#include "step.h"

#define READINGS	1000
#define READINGS_MAX	1000000

/**
 * lsmpmon_step_add - account for the difference of two successive readings
 * @steps: summary of the differences
 * @difference: ticks between the readings; ignored if the clock went back
 *
 * Context: any.
 */
void lsmpmon_step_add(struct lsmpmon_steps *steps, u64 difference)
{
	if (lsmpmon_went_back(difference) || difference > UINT_MAX)
		return;
	if (!difference) {
		steps->repeats = true;
		return;
	}
	if (!steps->least || difference < steps->least)
		steps->least = difference;
	steps->common = gcd(steps->common, difference);
}

/**
 * lsmpmon_step - step of the clock
 * @steps: summary of differences of readings
 *
 * If successive readings can be equal, the step is the least difference, even if
 * others are longer by a rounded tick.  Otherwise, each difference is a multiple of
 * the step.
 *
 * Context: any.
 * Return: ticks by which the clock advances at a time; 0 if it did not advance.
 */
unsigned int lsmpmon_step(const struct lsmpmon_steps *steps)
{
	return steps->repeats ? steps->least : steps->common;
}

/**
 * lsmpmon_measure_step - measure the step of the clock
 *
 * Reads the clock at varying distances, until it has advanced.
 *
 * Context: any.
 * Return: ticks by which the clock advances at a time; 0 if it did not advance.
 */
unsigned int lsmpmon_measure_step(void)
{
	struct lsmpmon_steps steps = { };
	u64 then, now = lsmpmon_clock();
	int i, spin;

	for (i = 0; i < READINGS || (!steps.least && i < READINGS_MAX); i++) {
		for (spin = i % 8; spin; spin--)
			barrier();
		if (i % 3 == 1)
			cpu_relax();
		then = now;
		now = lsmpmon_clock();
		lsmpmon_step_add(&steps, now - then);
	}
	return lsmpmon_step(&steps);
}
