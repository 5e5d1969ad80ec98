/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_OTHER_H
#define LSMPMON_OTHER_H

#include <stdbool.h>

#include "costs.h"

/**
 * struct other - what those have who have no line of their own
 * @grouping: by comm, by cgroup or by task, or nothing is counted
 * @calls: theirs
 * @all_calls: those of all
 * @ticks: theirs
 * @all_ticks: those of all
 */
struct other {
	const struct grouping *grouping;
	uint64_t calls;
	uint64_t all_calls;
	uint64_t ticks;
	uint64_t all_ticks;
};

/* Whether a key says who pays. */
bool other_pays(const struct grouping *grouping, size_t key);

/* The index of the first such key; -1 if rows do not tell that. */
int other_key(const struct grouping *grouping);

/* Whether a row is that of the others. */
bool other_is(const struct grouping *grouping, const struct cost *cost);

void other_add(struct other *other, const struct cost *cost);

/* The share of the others as a sentence, for the caller to free; NULL if there are none. */
char *other_text(const struct other *other);

#endif
