/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_STATS_H
#define LMBENCH_HOOK_STATS_H

#include <stddef.h>

/**
 * struct stats - what is kept of a series of samples
 * @count: how many there were
 * @min: the least
 * @median: the middle one, or the mean of the middle two
 * @mean: their mean; nothing is left out
 * @low: where the 95 % interval of the mean begins
 * @high: where it ends
 */
struct stats {
	size_t count;
	double min;
	double median;
	double mean;
	double low;
	double high;
};

/* Sorts @samples. @count is at least 1. */
struct stats stats_of(double *samples, size_t count);

#endif
