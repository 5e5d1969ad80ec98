// SPDX-License-Identifier: GPL-2.0-only
#include "stats.h"

#include <math.h>
#include <stdlib.h>

#include "student.h"

/* Tukey's fences. */
#define FENCE 1.5

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

static double variance_of(const double *samples, size_t count, double mean)
{
	double squares = 0;

	if (count < 2)
		return 0;
	for (size_t i = 0; i < count; i++)
		squares += (samples[i] - mean) * (samples[i] - mean);
	return squares / (count - 1);
}

static double half_interval(double variance, size_t count)
{
	return count < 2 ? 0 : student_limit(SIGNIFICANCE_LEVEL, count - 1) * sqrt(variance / count);
}

/* Interpolates linearly between two samples, as most programs do. */
static double quantile(const double *sorted, size_t count, double part)
{
	double at = part * (count - 1);
	size_t left = at;
	size_t right = left + 1 < count ? left + 1 : left;

	return sorted[left] + (at - left) * (sorted[right] - sorted[left]);
}

static void count_outliers(struct stats *stats, const double *sorted)
{
	double fence = FENCE * (stats->q3 - stats->q1);

	while (sorted[stats->below] < stats->q1 - fence)
		stats->below++;
	while (sorted[stats->count - 1 - stats->above] > stats->q3 + fence)
		stats->above++;
}

struct stats stats_of(double *samples, size_t count)
{
	struct stats stats = { .count = count, .mean = mean_of(samples, count) };
	double half;

	stats.variance = variance_of(samples, count, stats.mean);
	half = half_interval(stats.variance, count);
	stats.low = stats.mean - half;
	stats.high = stats.mean + half;

	qsort(samples, count, sizeof(*samples), compare);
	stats.min = samples[0];
	stats.q1 = quantile(samples, count, 0.25);
	stats.median = quantile(samples, count, 0.5);
	stats.q3 = quantile(samples, count, 0.75);
	stats.max = samples[count - 1];
	count_outliers(&stats, samples);
	return stats;
}
