// SPDX-License-Identifier: GPL-2.0-only
#include "student.h"

#include <math.h>

#define STEPS 300
#define PRECISION 1e-14
#define TINY 1e-300
#define LIMIT_MAX 1e6

static double not_zero(double value)
{
	return fabs(value) < TINY ? TINY : value;
}

/* The even and odd terms of the continued fraction of the incomplete beta function. */
static double term(double a, double b, double x, int i)
{
	int m = i / 2;

	if (i % 2)
		return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
	return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

/* By Lentz's method. */
static double fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 + term(a, b, x, 1)), value = d;

	for (int i = 2; i < STEPS; i++) {
		double factor;

		d = 1 / not_zero(1 + term(a, b, x, i) * d);
		c = not_zero(1 + term(a, b, x, i) / c);
		factor = c * d;
		value *= factor;
		if (fabs(factor - 1) < PRECISION)
			break;
	}
	return value;
}

/* The regularised incomplete beta function. The fraction converges fast only on one side of the mean. */
static double beta(double a, double b, double x)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

	if (x < (a + 1) / (a + b + 2))
		return front * fraction(a, b, x) / a;
	return 1 - front * fraction(b, a, 1 - x) / b;
}

double student_chance(double t, double freedom)
{
	if (t == 0)
		return 1;
	return isinf(t) ? 0 : beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_limit(double chance, double freedom)
{
	double low = 0, high = LIMIT_MAX;

	for (int i = 0; i < STEPS && high - low > PRECISION * high; i++) {
		double middle = (low + high) / 2;

		if (student_chance(middle, freedom) > chance)
			low = middle;
		else
			high = middle;
	}
	return high;
}
