/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_MOMENT_H
#define LSMPMON_MOMENT_H

#include "costs.h"
#include "record.h"
#include "total.h"

/**
 * struct moment - the counters, and when they were read
 * @record: all files of the monitor
 * @costs: of the grouping that is shown
 * @total: of all calls
 * @at: seconds
 */
struct moment {
	struct record record;
	struct costs costs;
	struct total total;
	double at;
};

/* The monitor in @dir as it is now. 0, or -1 after a complaint. */
int moment_take(struct moment *moment, const char *dir, const struct grouping *grouping);
void moment_forget(struct moment *moment);

/* Of a counter: one that went back was reset meanwhile, so all of it is new. */
uint64_t moment_since(uint64_t before, uint64_t after);

/* Ticks of all rows that came since. */
uint64_t moment_sum_since(const struct moment *a, const struct moment *b, size_t key_count);

#endif
