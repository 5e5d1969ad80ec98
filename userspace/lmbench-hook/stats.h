/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_STATS_H
#define LMBENCH_HOOK_STATS_H

#include <stddef.h>

/**
 * struct stats - statistics of a series of samples, outliers included
 * @count: number of samples
 * @min: the smallest sample
 * @q1: first quartile
 * @median: the median
 * @q3: third quartile
 * @max: the largest sample
 * @mean: the mean
 * @variance: estimated variance of the population
 * @low: lower end of the 95 % confidence interval of the mean
 * @high: its upper end
 * @below: number of outliers more than 1.5 (@q3 - @q1) below @q1
 * @above: number of outliers as far above @q3
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
