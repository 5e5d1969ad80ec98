/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_HISTOGRAM_H
#define LSMPMON_HISTOGRAM_H

#include "record.h"

/* What the last bucket of the kernel has for its end. */
#define NO_END UINT64_MAX

/**
 * struct bucket - calls of a hook that took about as long
 * @le: most ticks that one of them took
 * @count: how many, in this bucket alone
 */
struct bucket {
	uint64_t le;
	uint64_t count;
};

/**
 * struct histogram - how the calls of a hook are distributed
 * @hook: its name
 * @buckets: those with a call in them, by @le
 * @bucket_count: how many
 * @count: calls in all of them
 */
struct histogram {
	const char *hook;
	struct bucket *buckets;
	size_t bucket_count;
	uint64_t count;
};

/* By name. */
struct histograms {
	struct histogram *rows;
	size_t count;
};

/* Of all these runs. 0, or -1 after a complaint. */
int histograms_read(struct histograms *all, const struct run *runs, size_t run_count);
void histograms_free(struct histograms *all);

/* NULL: nothing of that hook was measured. */
const struct histogram *histograms_find(const struct histograms *all, const char *hook);

/*
 * Ticks that a share of @quantile of the calls took at most; at most an eighth too many, and never more
 * than @max, the longest call.
 */
uint64_t histogram_quantile(const struct histogram *histogram, double quantile, uint64_t max);

#endif
