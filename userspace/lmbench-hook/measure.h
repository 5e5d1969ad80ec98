/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_MEASURE_H
#define LMBENCH_HOOK_MEASURE_H

#include <signal.h>

#include "bench.h"
#include "monitor.h"
#include "stats.h"

/**
 * struct plan - how one sub-benchmark is measured
 * @runs: samples that are kept
 * @warmup: rounds before the first of them, thrown away
 * @loop: 0: a sample is one timed call; else: a sample is this many whole rounds, timed together
 *        and divided by their number
 */
struct plan {
	size_t runs;
	size_t warmup;
	size_t loop;
};

/**
 * struct series - the samples of one sub-benchmark, in ticks of the clock
 * @samples: in the order in which they were taken
 * @sorted: the same, the least first
 * @stats: what they say
 */
struct series {
	double *samples;
	double *sorted;
	struct stats stats;
};

/* Set by a signal: measuring ends with EINTR, so that the files of the run can be removed. */
extern volatile sig_atomic_t measure_stop;

int series_make(struct series *series, size_t runs);
void series_free(struct series *series);

int measure(const struct bench *bench, struct place *place, const struct plan *plan,
	    struct series *series);
int measure_empty(const struct plan *plan, struct series *series);
int work(const struct bench *bench, struct place *place, size_t rounds, struct monitor *monitor);

#endif
