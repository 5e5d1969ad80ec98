// SPDX-License-Identifier: GPL-2.0-only
#include "stats.h"

#include <math.h>
#include <stdlib.h>

/* Tukey's fences. */
#define FENCE 1.5

/* 97.5 % quantile of the normal distribution. */
#define NORMAL 1.959963984540054

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

/*
 * 97.5 % quantile of Student's t. It has no closed form; beyond the table, the expansion from the
 * normal distribution's is accurate to five digits.
 */
static double student(size_t freedom)
{
	static const double table[] = {
		12.70620, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216,
		2.22814, 2.20099, 2.17881, 2.16037, 2.14479, 2.13145, 2.11991, 2.10982, 2.10092,
		2.09302, 2.08596,
	};
	double z = NORMAL, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
	double n = freedom;

	if (freedom <= sizeof(table) / sizeof(table[0]))
		return table[freedom - 1];
	return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

static double half_interval(double variance, size_t count)
{
	return count < 2 ? 0 : student(count - 1) * sqrt(variance / count);
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
