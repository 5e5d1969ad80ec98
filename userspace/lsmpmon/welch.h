/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_WELCH_H
#define LSMPMON_WELCH_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct samples - numbers that vary by chance, as they are added
 * @count: how many
 * @mean: of them
 * @squares: sum of the squares of their distances from the mean
 */
struct samples {
	size_t count;
	double mean;
	double squares;
};

/**
 * struct welch - Welch's t test of two means, whose variances may differ
 * @half: half of the 95 % confidence interval of their difference
 * @chance: how likely chance alone brings a difference at least as large
 */
struct welch {
	double half;
	double chance;
};

void samples_add(struct samples *samples, double value);

/*
 * False: nothing can be told, of one number a side, or of numbers that do not vary. With @is_exact they are known
 * without error, and any difference is one; else they do not vary since a clock's ticks are coarse.
 */
bool welch_test(const struct samples *a, const struct samples *b, bool is_exact, struct welch *welch);

/*
 * Adjust @chances for there being many, by Holm: if all that are below 0.05 then are taken for real, the chance that
 * any of them is not is below 0.05. Sorts the pointers.
 */
void holm(double **chances, size_t count);

#endif
