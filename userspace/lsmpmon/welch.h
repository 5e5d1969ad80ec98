/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_WELCH_H
#define LSMPMON_WELCH_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct samples - running mean and variance of a sample
 * @count: number of values
 * @mean: their mean
 * @squares: sum of their squared deviations from the mean
 */
struct samples {
	size_t count;
	double mean;
	double squares;
};

/**
 * struct welch - Welch's t test of two means, whose variances may differ
 * @half: half of the 95 % confidence interval of their difference
 * @chance: p-value: how likely chance brings a difference at least as large
 */
struct welch {
	double half;
	double chance;
};

void samples_add(struct samples *samples, double value);

/* Half of the 95 % confidence interval of the mean. Returns false for fewer than two values. */
bool samples_half(const struct samples *samples, double *half);

/*
 * Returns false if there is no answer: with one value a side, or values that do not vary. With @is_exact, values
 * are free of error and any difference is real; otherwise equal values only show that the clock is coarse.
 */
bool welch_test(const struct samples *a, const struct samples *b, bool is_exact, struct welch *welch);

/*
 * Adjust p-values for their number, by Holm's method: if all below 0.05 are then taken for real, the probability
 * that any of them is not is below 0.05. Sorts the pointers.
 */
void holm(double **chances, size_t count);

#endif
