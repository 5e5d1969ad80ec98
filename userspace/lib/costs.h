/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COSTS_H
#define LSMPMON_COSTS_H

#include "record.h"

#define KEYS_MAX 2
#define NEEDS_MAX 6

/**
 * struct grouping - by what calls are told apart
 * @table: the file of lsmmon/ that has it
 * @keys: columns of it
 * @key_count: how many
 * @needs: other columns of it that there must be; NULL after the last
 */
struct grouping {
	const char *table;
	const char *keys[KEYS_MAX];
	size_t key_count;
	const char *needs[NEEDS_MAX];
};

extern const struct grouping grouping_denials;
extern const struct grouping grouping_calls;

/* Words with commas between them, as "hook" or "module,hook". 0, or -1 after a complaint. */
int grouping_parse(struct grouping *grouping, const char *text);

/**
 * struct cost - the calls of a group
 * @keys: its names; they live as long as the record
 * @min: ticks of the shortest call; 0 without calls
 * @max: of the longest one
 * @count: calls without a context switch inside, which alone have times
 * @cs_count: calls with one
 * @sum: ticks of all those of @count
 * @hook_count: in `calls`: hook calls inside
 * @hook_sum: in `calls`: ticks of these
 */
struct cost {
	const char *keys[KEYS_MAX];
	uint64_t min;
	uint64_t max;
	uint64_t count;
	uint64_t cs_count;
	uint64_t sum;
	uint64_t hook_count;
	uint64_t hook_sum;
};

struct costs {
	struct cost *rows;
	size_t count;
	uint64_t sum;
};

/* Of all these runs, in the order in which the kernel has the groups. 0, or -1 after a complaint. */
int costs_read(struct costs *costs, const struct run *runs, size_t run_count,
	       const struct grouping *grouping);
void costs_free(struct costs *costs);

/* The row with these keys; NULL: there is none. */
const struct cost *costs_find(const struct costs *costs, const char *const *keys, size_t key_count);

/* Ticks of a mean call; 0 without calls. */
double cost_ave(const struct cost *cost);

#endif
