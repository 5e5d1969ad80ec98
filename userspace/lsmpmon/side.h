/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_SIDE_H
#define LSMPMON_SIDE_H

#include "costs.h"
#include "histogram.h"
#include "record.h"
#include "unit.h"
#include "welch.h"

/* What is compared of a row: one statistic, the time of a run, and the calls of a run, timed or not. */
enum quantity { STATISTIC, TIME, CALLS, QUANTITIES };

/* That statistic: of calls, or the time of a run. */
enum statistic { MEAN_CALL, MEDIAN_CALL, SHORTEST_CALL, TOTAL_TIME };

/**
 * struct part - a sample
 * @costs: of its runs together
 * @histograms: the same; only for medians
 * @runs: how many
 */
struct part {
	struct costs costs;
	struct histograms histograms;
	size_t runs;
};

/**
 * struct side - one side of a comparison
 * @record: all its runs
 * @all: costs of all runs together
 * @parts: the samples
 * @part_count: number of samples
 * @boots: number of boots that the runs come from
 * @scale: unit of its times, and the length of a clock tick in it
 * @time: which of its times are compared
 * @statistic: which statistic of them
 */
struct side {
	struct record record;
	struct costs all;
	struct part *parts;
	size_t part_count;
	size_t boots;
	struct scale scale;
	enum time time;
	enum statistic statistic;
};

/* The name of a statistic, as --stat and columns have it; and in words. */
const char *statistic_name(enum statistic statistic);
const char *statistic_text(enum statistic statistic);

/* Returns 0, or -1 if no statistic has that name. */
int statistic_parse(enum statistic *statistic, const char *name);

/* Load a record, a directory of records, or a list of these with commas. Returns 0, or -1 after a complaint. */
int side_load(struct side *side, const char *path, enum unit unit, const struct grouping *grouping);

/* Read its costs again, by another grouping. Returns 0, or -1 after a complaint. */
int side_regroup(struct side *side, const struct grouping *grouping);

/*
 * Split the side into samples. A sample is a boot, since the runs of one boot share conditions such as the
 * placement of memory. With a single boot, a sample is a run. Returns 0, or -1 after a complaint.
 */
int side_divide(struct side *side, bool by_boot, const struct grouping *grouping);

/* That quantity of each sample, times in the unit; of all rows if @keys is NULL. */
struct samples side_samples(const struct side *side, enum quantity quantity, const char *const *keys,
			    size_t key_count);

/* Returns 0, or -1 after a complaint if a run has no row at all: @letter is that of the side. */
int side_check(const struct side *side, char letter, const struct grouping *grouping);

/* The sum of all rows. */
struct cost side_total(const struct side *side);

void side_free(struct side *side);

#endif
