/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_HISTOGRAM_H
#define LSMPMON_HISTOGRAM_H

#include "record.h"

/* Upper bound of the kernel's last bucket. */
#define NO_END UINT64_MAX

/**
 * struct bucket - calls of a hook that took about equally long
 * @le: upper bound in ticks, inclusive
 * @count: number of calls in this bucket, not cumulative
 */
struct bucket {
	uint64_t le;
	uint64_t count;
};

/**
 * struct histogram - distribution of a hook's durations
 * @hook: its name
 * @buckets: the non-empty buckets, in ascending order of @le
 * @bucket_count: number of buckets
 * @count: calls in all buckets
 */
struct histogram {
	const char *hook;
	struct bucket *buckets;
	size_t bucket_count;
	uint64_t count;
};

/* Histograms, sorted by name of the hook. */
struct histograms {
	struct histogram *rows;
	size_t count;
};

/* Add up all these runs. Returns 0, or -1 after a complaint. */
int histograms_read(struct histograms *all, const struct run *runs, size_t run_count);
void histograms_free(struct histograms *all);

/* NULL if the hook has no histogram. */
const struct histogram *histograms_find(const struct histograms *all, const char *hook);

/*
 * The quantile in ticks: never too low, at most an eighth too high, and never above @max, the longest
 * call.
 */
uint64_t histogram_quantile(const struct histogram *histogram, double quantile, uint64_t max);

/*
 * The standard deviation of a call's ticks, if the calls of each bucket are spread over the eighth below its end, its
 * largest width. 0 for fewer than two calls.
 */
double histogram_deviation(const struct histogram *histogram);

#endif
