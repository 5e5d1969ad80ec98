/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_OUTPUT_H
#define LMBENCH_HOOK_OUTPUT_H

#include "bench.h"
#include "measure.h"
#include "stats.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

/**
 * struct heading - what is the same for every row
 * @place: where the work was done
 * @plan: how it was measured
 * @ticks_per_ns: the clock's rate
 * @empty: what the harness reads around nothing
 */
struct heading {
	const struct place *place;
	const struct plan *plan;
	double ticks_per_ns;
	struct stats empty;
};

void output_begin(enum format format, const struct heading *heading);
void output_row(enum format format, const struct heading *heading, const struct bench *bench,
		const struct stats *stats);
void output_end(enum format format);

#endif
