/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_HISTOGRAM_H
#define LSMPMON_HISTOGRAM_H

#include "record.h"
#include "times.h"

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

/**
 * struct histograms - the histograms of all hooks
 * @rows: sorted by name of the hook
 * @count: how many
 * @has_switched: calls with a context switch inside are in them, too; kernels of an older lsmpmon have only the others
 */
struct histograms {
	struct histogram *rows;
	size_t count;
	bool has_switched;
};

/* Add up the distributions of that time in all these runs. Returns 0, or -1 after a complaint. */
int histograms_read(struct histograms *all, const struct run *runs, size_t run_count, enum time time);
void histograms_free(struct histograms *all);

/* NULL if the hook has no histogram. */
const struct histogram *histograms_find(const struct histograms *all, const char *hook);

/* Buckets of a hook since it was @before, which may be NULL, for the caller to free(). A reset in between is seen. */
struct histogram histogram_since(const struct histogram *before, const struct histogram *histogram);

/* What they are the distributions of. */
const char *histograms_what(const struct histograms *all, enum time time);

/*
 * The quantile in ticks: never too low, at most an eighth too high, and never above @max, the longest
 * call.
 */
uint64_t histogram_quantile(const struct histogram *histogram, double quantile, uint64_t max);

/*
 * The median of these together, in ticks, if the calls of a bucket are spread evenly over it; 0 without calls. It moves when
 * calls move to another bucket, and not by whole buckets.
 */
double histogram_median(const struct histogram *histograms, size_t count);

/* The kernel has so many buckets in each power of two. */
#define HISTOGRAM_IN_OCTAVE 8

/* Width of one of so many equal parts of the power of two that @ticks is in; at least 1. */
uint64_t histogram_part(uint64_t ticks, uint64_t parts);

/* Width of the kernel's bucket that ends at @le. */
uint64_t histogram_width(uint64_t le);

/*
 * The standard deviation of a call's ticks, if the calls of each bucket are spread over the eighth below its end, its
 * largest width. 0 for fewer than two calls.
 */
double histogram_deviation(const struct histogram *histogram);

#endif
