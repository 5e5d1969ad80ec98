// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the monitor measures itself
 */

#include <linux/compiler.h>
#include <linux/gcd.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sort.h>

#include "calibrate.h"
#include "clock.h"
#include "span.h"

#define SAMPLES		101
#define SPANS		100
#define READINGS	1000
#define READINGS_MAX	1000000

struct lsmpmon_calibration lsmpmon_calibration __ro_after_init;

/**
 * lsmpmon_step_add - account for the difference of two successive readings
 * @steps: summary of the differences
 * @difference: ticks between the readings; ignored if the clock went back
 *
 * Context: any.
 */
void __init lsmpmon_step_add(struct lsmpmon_steps *steps, u64 difference)
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
unsigned int __init lsmpmon_step(const struct lsmpmon_steps *steps)
{
	return steps->repeats ? steps->least : steps->common;
}

/* Read the clock at varying distances, until it has advanced. */
static unsigned int __init lsmpmon_measure_step(void)
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

/* Measure one empty span with the code that measures hooks; record nothing. */
static unsigned int __init lsmpmon_empty_span(void)
{
	LSMPMON_FRAME(frame);
	u64 now;

	do {
		preempt_disable();
		lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
		now = lsmpmon_clock();
		lsmpmon_span_unlink(lsmpmon_of(current), &frame.span);
		preempt_enable();
	} while (unlikely(lsmpmon_went_back(now - frame.span.begin)));
	return now - frame.span.begin;
}

/*
 * The average of several spans, rounded down like those of hooks.  If the
 * clock is coarse, only the average is right: single spans read multiples of
 * its step.
 */
static unsigned int __init lsmpmon_average_span(unsigned int *min)
{
	unsigned int i, ticks, sum = 0;

	for (i = 0; i < SPANS; i++) {
		ticks = lsmpmon_empty_span();
		*min = min(*min, ticks);
		sum += ticks;
	}
	return sum / SPANS;
}

static int __init lsmpmon_compare(const void *a, const void *b)
{
	unsigned int left = *(const unsigned int *)a;
	unsigned int right = *(const unsigned int *)b;

	return (left > right) - (left < right);
}

/* Take the median of several averages, which ignores disturbed ones. */
static void __init lsmpmon_sample_spans(void)
{
	static unsigned int sample[SAMPLES] __initdata;
	unsigned int least = UINT_MAX;
	int i;

	for (i = 0; i < SAMPLES; i++)
		sample[i] = lsmpmon_average_span(&least);
	sort(sample, SAMPLES, sizeof(*sample), lsmpmon_compare, NULL);
	lsmpmon_calibration.overhead = sample[SAMPLES / 2];
	lsmpmon_calibration.overhead_min = least;
}

/**
 * lsmpmon_calibrate - measure the clock's step and the empty span
 *
 * Context: late in the boot, before user space.
 */
void __init lsmpmon_calibrate(void)
{
	lsmpmon_calibration.step = lsmpmon_measure_step();
	lsmpmon_sample_spans();
}
