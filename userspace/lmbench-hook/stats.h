/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_STATS_H
#define LMBENCH_HOOK_STATS_H

#include <stddef.h>

/**
 * struct stats - what is known of a series of samples; no sample is left out of any of it
 * @count: how many there were
 * @min: the least
 * @q1: a quarter of them is below
 * @median: the middle one, or the mean of the middle two
 * @q3: a quarter of them is above
 * @max: the largest
 * @mean: their mean
 * @variance: of the population that they are samples of
 * @low: where the 95 % interval of the mean begins
 * @high: where it ends
 * @below: outliers at the lower end: below @q1 by more than 1.5 (@q3 - @q1)
 * @above: outliers at the upper end, likewise
 */
struct stats {
	size_t count;
	double min;
	double q1;
	double median;
	double q3;
	double max;
	double mean;
	double variance;
	double low;
	double high;
	size_t below;
	size_t above;
};

/* Sorts @samples: the outliers are the first @below and the last @above. @count is at least 1. */
struct stats stats_of(double *samples, size_t count);

#endif
