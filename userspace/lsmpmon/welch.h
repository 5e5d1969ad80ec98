/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_WELCH_H
#define LSMPMON_WELCH_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct samples - of one quantity, measured again and again
 * @count: how many
 * @mean: of them
 * @squares: sum of their squared distances from the mean
 */
struct samples {
	size_t count;
	double mean;
	double squares;
};

void samples_add(struct samples *samples, double value);

/*
 * Half the 95 % confidence interval of the difference of both means, by Welch's t: variances may differ.
 * False: it cannot be told of fewer than two on either side.
 */
bool welch_half(const struct samples *a, const struct samples *b, double *half);

#endif
