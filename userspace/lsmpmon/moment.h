/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_MOMENT_H
#define LSMPMON_MOMENT_H

#include "costs.h"
#include "record.h"
#include "total.h"

/**
 * struct moment - the counters at one time
 * @record: all files of the monitor
 * @costs: costs by the grouping that is shown
 * @total: totals of all calls
 * @at: when they were read, in seconds
 */
struct moment {
	struct record record;
	struct costs costs;
	struct total total;
	double at;
};

/* Read the monitor in @dir. Returns 0, or -1 after a complaint. */
int moment_take(struct moment *moment, const char *dir, const struct grouping *grouping);
void moment_forget(struct moment *moment);

/* The calls of a row since an earlier time, at which it was @old; NULL: there were none. */
struct cost moment_cost_since(const struct cost *old, const struct cost *cost);

/* The calls of a row of @b since @a. What those had who lost their lines meanwhile is not new in `other`. */
struct cost moment_row_since(const struct moment *a, const struct moment *b, const struct grouping *grouping,
			     const struct cost *cost);

/* Times that all rows gained. */
struct times moment_times_since(const struct moment *a, const struct moment *b, const struct grouping *grouping);

#endif
