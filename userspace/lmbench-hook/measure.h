/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_MEASURE_H
#define LMBENCH_HOOK_MEASURE_H

#include <signal.h>
#include <stdbool.h>

#include "bench.h"
#include "counting.h"
#include "stats.h"

/**
 * struct plan - how one sub-benchmark is measured
 * @runs: number of samples to keep
 * @warmup: rounds before the first sample
 * @loop: 0 if a sample is one timed call; otherwise a sample is the mean of this many whole rounds,
 *        timed together
 * @stop: stop this process before each timed call, for somebody to change the state of the kernel
 */
struct plan {
	size_t runs;
	size_t warmup;
	size_t loop;
	bool stop;
};

/**
 * struct series - the samples of one sub-benchmark, in ticks of the clock
 * @samples: in the order in which they were taken
 * @sorted: the same in ascending order
 * @stats: their statistics
 */
struct series {
	double *samples;
	double *sorted;
	struct stats stats;
};

/* Set by a signal: measuring then ends with EINTR, and the files of the run are removed. */
extern volatile sig_atomic_t measure_stop;

int series_make(struct series *series, size_t runs);
void series_free(struct series *series);

int measure(const struct bench *bench, struct place *place, const struct plan *plan,
	    struct series *series);
int measure_empty(const struct plan *plan, struct series *series);
int work(const struct bench *bench, struct place *place, size_t rounds, struct counting *counting);

#endif
