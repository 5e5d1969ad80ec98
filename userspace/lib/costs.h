/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COSTS_H
#define LSMPMON_COSTS_H

#include "record.h"

#define KEYS_MAX 3
#define NEEDS_MAX 6

/* What grouping_parse() takes. */
#define GROUPINGS \
	"hook, module, syscall, verdict, cpu, comm or cgroup; or hook with any of these but cpu, as in " \
	"module,hook; or syscall with module, or with both"

/**
 * struct grouping - what a row stands for: a hook, a module and a hook, ...
 * @table: the file in lsmmon/ that has these rows
 * @feature: the feature that the file needs; NULL if none
 * @keys: its key columns
 * @key_count: number of key columns
 * @needs: other columns that it must have; ends with NULL
 */
struct grouping {
	const char *table;
	const char *feature;
	const char *keys[KEYS_MAX];
	size_t key_count;
	const char *needs[NEEDS_MAX];
};

extern const struct grouping grouping_denials;
extern const struct grouping grouping_calls;

/* Parse words with commas, such as "hook" or "module,hook", in any order. Returns 0, or -1 after a complaint. */
int grouping_parse(struct grouping *grouping, const char *text);

/**
 * struct cost - the calls of a group
 * @keys: its names; valid as long as the record
 * @min: ticks of the shortest call; 0 without calls
 * @max: ticks of the longest call
 * @count: calls without a context switch inside; only these have times
 * @cs_count: calls with a context switch inside
 * @sum: total ticks of the calls in @count; where only some of them were timed, those of the timed ones are
 *	scaled up
 * @timed: how many of @count were timed
 * @timed_sum: ticks of these
 * @hook_count: in `calls`: hook calls inside
 * @hook_sum: in `calls`: their ticks
 */
struct cost {
	const char *keys[KEYS_MAX];
	uint64_t min;
	uint64_t max;
	uint64_t count;
	uint64_t cs_count;
	uint64_t sum;
	uint64_t timed;
	uint64_t timed_sum;
	uint64_t hook_count;
	uint64_t hook_sum;
};

/**
 * struct costs - all groups of a grouping
 * @rows: in the kernel's order
 * @sorted: the same by their keys
 * @count: how many
 * @sum: total ticks of all
 */
struct costs {
	struct cost *rows;
	const struct cost **sorted;
	size_t count;
	uint64_t sum;
};

/* Add up all these runs, in the kernel's order. Returns 0, or -1 after a complaint. */
int costs_read(struct costs *costs, const struct run *runs, size_t run_count,
	       const struct grouping *grouping);
void costs_free(struct costs *costs);

/* The rows that begin with these keys, by the rest of their keys. */
const struct cost *const *costs_with(const struct costs *costs, const char *const *keys, size_t key_count,
				     size_t *count);

/* The first of them; NULL if there is none. */
const struct cost *costs_find(const struct costs *costs, const char *const *keys, size_t key_count);

/* Set @sum from the calls that were timed. */
void cost_estimate(struct cost *cost);

/* Ticks of a mean call; 0 if none was timed. */
double cost_ave(const struct cost *cost);

#endif
