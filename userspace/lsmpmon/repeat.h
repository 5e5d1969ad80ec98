/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_REPEAT_H
#define LSMPMON_REPEAT_H

#include "keep.h"
#include "measuring.h"
#include "record.h"

#define REPEAT_MAX 1000
/* With --until, and without --repeat. */
#define REPEAT_UNTIL 100

/**
 * struct repeat - how often to run and measure a command
 * @runs: how often; with @until, at most; 0 for once, or with @until for REPEAT_UNTIL times
 * @warmup: runs before these, which are not measured
 * @prepare: command for a shell before each run, which is not measured; NULL for none
 * @until: end when half of the 95 % confidence interval of what hooks took in a run is at most so many percent of it; 0
 *	for not before @runs
 */
struct repeat {
	size_t runs;
	size_t warmup;
	const char *prepare;
	double until;
};

/* Measure as often as wanted, and add the runs to @record. Returns 0, or -1 after a complaint. */
int repeat_measure(const struct repeat *repeat, const struct keep *keep, const struct measuring *measuring,
		   struct record *record);

/* Say on stderr what the mean run took, and how much runs differ; nothing of a single one. */
void repeat_say(const struct repeat *repeat, const struct record *record);

#endif
