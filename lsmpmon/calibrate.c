// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the monitor measures itself
 */

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sort.h>

#include "calibrate.h"
#include "clock.h"
#include "span.h"
#include "step.h"

#define SAMPLES		101
#define SPANS		100

/* Measure one empty span with the code that measures hooks; record nothing. */
static unsigned int lsmpmon_empty_span(void)
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
static unsigned int lsmpmon_average_span(unsigned int *min)
{
	unsigned int i, ticks, sum = 0;

	for (i = 0; i < SPANS; i++) {
		ticks = lsmpmon_empty_span();
		*min = min(*min, ticks);
		sum += ticks;
	}
	return sum / SPANS;
}

static int lsmpmon_compare(const void *a, const void *b)
{
	unsigned int left = *(const unsigned int *)a;
	unsigned int right = *(const unsigned int *)b;

	return (left > right) - (left < right);
}

/* Take the median of several averages, which ignores disturbed ones. */
static void lsmpmon_measure_self(struct lsmpmon_calibration *calibration)
{
	unsigned int sample[SAMPLES], least = UINT_MAX;
	int i;

	for (i = 0; i < SAMPLES; i++)
		sample[i] = lsmpmon_average_span(&least);
	sort(sample, SAMPLES, sizeof(*sample), lsmpmon_compare, NULL);
	calibration->clock_step = lsmpmon_measure_step();
	calibration->overhead = sample[SAMPLES / 2];
	calibration->overhead_min = least;
}

/**
 * lsmpmon_calibrate - measure the clock and the empty span
 *
 * Only the first call measures, so that a boot without readers does not take the
 * time.
 *
 * Context: may sleep.
 * Return: what was measured; it does not change any more.
 */
const struct lsmpmon_calibration *lsmpmon_calibrate(void)
{
	static struct lsmpmon_calibration calibration;
	static DEFINE_MUTEX(lock);
	static bool calibrated;

	mutex_lock(&lock);
	if (!calibrated)
		lsmpmon_measure_self(&calibration);
	calibrated = true;
	mutex_unlock(&lock);
	return &calibration;
}
