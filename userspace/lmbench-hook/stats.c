// SPDX-License-Identifier: GPL-2.0-only
#include "stats.h"

#include <math.h>
#include <stdlib.h>

/* Of the normal distribution: from some 30 samples on, Student's is near enough. */
#define QUANTILE_95 1.96

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

static double mean_of(const double *samples, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += samples[i];
	return sum / count;
}

static double half_interval(const double *samples, size_t count, double mean)
{
	double squares = 0;

	if (count < 2)
		return 0;
	for (size_t i = 0; i < count; i++)
		squares += (samples[i] - mean) * (samples[i] - mean);
	return QUANTILE_95 * sqrt(squares / (count - 1) / count);
}

struct stats stats_of(double *samples, size_t count)
{
	double mean = mean_of(samples, count);
	double half = half_interval(samples, count, mean);

	qsort(samples, count, sizeof(*samples), compare);
	return (struct stats){
		.count = count,
		.min = samples[0],
		.median = (samples[(count - 1) / 2] + samples[count / 2]) / 2,
		.mean = mean,
		.low = mean - half,
		.high = mean + half,
	};
}
