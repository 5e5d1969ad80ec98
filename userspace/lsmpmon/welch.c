// SPDX-License-Identifier: GPL-2.0-only
#include "welch.h"

#include <math.h>

void samples_add(struct samples *samples, double value)
{
	double distance = value - samples->mean;

	samples->mean += distance / ++samples->count;
	samples->squares += distance * (value - samples->mean);
}

/* Student's t for 95 %, both sides, by degrees of freedom. */
static const struct { double freedom, t; } quantiles[] = {
	{ 1, 12.706 }, { 2, 4.303 }, { 3, 3.182 }, { 4, 2.776 }, { 5, 2.571 }, { 6, 2.447 },
	{ 7, 2.365 }, { 8, 2.306 }, { 9, 2.262 }, { 10, 2.228 }, { 12, 2.179 }, { 15, 2.131 },
	{ 20, 2.086 }, { 30, 2.042 }, { 60, 2.000 }, { 120, 1.980 }, { 1000, 1.962 },
};

/* Of the next fewer degrees that are in the table: rather less sure than too sure. */
static double student(double freedom)
{
	double t = quantiles[0].t;

	for (size_t i = 0; i < sizeof(quantiles) / sizeof(*quantiles); i++)
		if (quantiles[i].freedom <= freedom)
			t = quantiles[i].t;
	return t;
}

/* Of the mean. */
static double variance(const struct samples *samples)
{
	return samples->squares / (samples->count - 1) / samples->count;
}

bool welch_half(const struct samples *a, const struct samples *b, double *half)
{
	double va, vb, freedom;

	if (a->count < 2 || b->count < 2)
		return false;
	va = variance(a);
	vb = variance(b);
	*half = 0;
	/* Instructions that are counted do not vary. */
	if (va + vb > 0) {
		freedom = (va + vb) * (va + vb) /
			  (va * va / (a->count - 1) + vb * vb / (b->count - 1));
		*half = student(freedom) * sqrt(va + vb);
	}
	return true;
}
