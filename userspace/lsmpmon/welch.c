// SPDX-License-Identifier: GPL-2.0-only
#include "welch.h"

#include <math.h>
#include <stdlib.h>

#include "student.h"

void samples_add(struct samples *samples, double value)
{
	double distance = value - samples->mean;

	samples->mean += distance / ++samples->count;
	samples->squares += distance * (value - samples->mean);
}

/* Variance of the mean. */
static double variance(const struct samples *samples)
{
	return samples->squares / (samples->count - 1) / samples->count;
}

bool samples_half(const struct samples *samples, double *half)
{
	if (samples->count < 2)
		return false;
	*half = student_limit(SIGNIFICANCE_LEVEL, samples->count - 1) * sqrt(variance(samples));
	return true;
}

bool welch_test(const struct samples *a, const struct samples *b, bool is_exact, struct welch *welch)
{
	double va, vb, freedom, difference = fabs(a->mean - b->mean);

	if (a->count < 2 || b->count < 2)
		return false;
	va = variance(a);
	vb = variance(b);
	*welch = (struct welch){ .chance = difference > 0 ? 0 : 1 };
	if (va + vb == 0)
		return is_exact;
	if (!is_exact && (va == 0 || vb == 0))
		return false;
	freedom = (va + vb) * (va + vb) / (va * va / (a->count - 1) + vb * vb / (b->count - 1));
	welch->half = student_limit(SIGNIFICANCE_LEVEL, freedom) * sqrt(va + vb);
	welch->chance = student_chance(difference / sqrt(va + vb), freedom);
	return true;
}

static int by_chance(const void *left, const void *right)
{
	const double *const *a = left, *const *b = right;

	return (**a > **b) - (**a < **b);
}

void holm(double **chances, size_t count)
{
	double least = 0;

	qsort(chances, count, sizeof(*chances), by_chance);
	for (size_t i = 0; i < count; i++) {
		least = fmax(least, fmin(1, *chances[i] * (count - i)));
		*chances[i] = least;
	}
}
