/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_MEASURE_H
#define LMBENCH_HOOK_MEASURE_H

#include "bench.h"
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

int measure(const struct bench *bench, struct place *place, const struct plan *plan,
	    struct stats *stats);
int measure_empty(const struct plan *plan, struct stats *stats);
int work(const struct bench *bench, struct place *place, size_t rounds);

#endif
