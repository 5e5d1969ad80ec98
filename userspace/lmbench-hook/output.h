/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_OUTPUT_H
#define LMBENCH_HOOK_OUTPUT_H

#include <stdbool.h>

#include "bench.h"
#include "measure.h"
#include "stats.h"

/* FORMAT_WALK is the text of openit only, in seconds. */
enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_WALK };

/**
 * struct heading - what all rows have in common
 * @place: where the work was done
 * @plan: how it was measured
 * @ticks_per_ns: the clock's rate
 * @empty: time of an empty span
 * @keep: include every sample in JSON
 */
struct heading {
	const struct place *place;
	const struct plan *plan;
	double ticks_per_ns;
	struct series empty;
	bool keep;
};

/**
 * struct output - results on their way to stdout
 * @print: prints a row
 * @heading: printed before the first row
 * @json: printed at the end, or NULL
 */
struct output {
	void (*print)(struct output *output, const struct bench *bench,
		      const struct series *series);
	const struct heading *heading;
	struct json_object *json;
};

void output_begin(struct output *output, enum format format, const struct heading *heading);
double output_throughput(const struct output *output, const struct bench *bench,
			 const struct stats *stats);
void output_row(struct output *output, const struct bench *bench, const struct series *series);
void output_left_out(struct output *output, const struct bench *bench, const char *why);
void output_end(struct output *output);

#endif
