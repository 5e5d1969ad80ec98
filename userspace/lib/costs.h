/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COSTS_H
#define LSMPMON_COSTS_H

#include "record.h"
#include "times.h"

#define KEYS_MAX 5
#define NEEDS_MAX 6
/* Tenths of the time of a system call. */
#define SHARES 10

/* What grouping_parse() takes; and of that, what needs no table of tasks, which older kernels do not have. */
#define GROUPINGS GROUPINGS_BUT_TASKS "; or one or more of pid, tid, comm, syscall and hook"
#define GROUPINGS_BUT_TASKS \
	"hook, module, syscall, verdict, cpu, comm or cgroup; or hook with any of these but cpu, as in " \
	"module,hook; or syscall with module, or with both; or outer, with hook, module or both"

/**
 * struct grouping - what a row stands for: a hook, a module and a hook, ...
 * @table: the file in lsmmon/ that has these rows
 * @feature: the feature that the file needs; NULL if none
 * @keys: its key columns
 * @key_count: number of key columns
 * @needs: other columns that it must have; ends with NULL
 * @ignores_switched: read no times of calls with a context switch inside, to compare with a kernel that has none
 */
struct grouping {
	const char *table;
	const char *feature;
	const char *keys[KEYS_MAX];
	size_t key_count;
	const char *needs[NEEDS_MAX];
	bool ignores_switched;
};

extern const struct grouping grouping_denials;
extern const struct grouping grouping_calls;

/* Parse words with commas, such as "hook" or "module,hook", in any order. Returns 0, or -1 after a complaint. */
int grouping_parse(struct grouping *grouping, const char *text);

/* The same, without the complaint: whether the kernel has such a table. */
bool grouping_find(struct grouping *grouping, const char *text);

/* Which of its key columns has this name; -1 if none has. */
int grouping_key(const struct grouping *grouping, const char *key);

/**
 * struct cost - the calls of a group
 * @keys: its names; valid as long as the record
 * @min: ticks of the shortest call without a context switch inside, from begin to end; 0 without calls
 * @max: ticks of the longest call that has a time, from begin to end
 * @count: calls without a context switch inside
 * @cs_count: calls with a context switch inside
 * @has_switched: calls in @cs_count have times, too; kernels of an older lsmpmon have only those of @count
 * @timed: how many of @count were timed
 * @unknown: calls that were timed, but whose own time is not known
 * @sample: times of the calls that were timed
 * @times: the same of all calls that could have been; where only some were timed, @sample is scaled up
 * @hook_count: in `calls`: hook calls inside
 * @hook_sum: in `calls`: their ticks, from begin to end
 * @hook_own: in `calls`: their own ticks, as far as the kernel has them
 * @shares: in `calls`: how many have hooks taken less than a tenth of their own time, two tenths, ...
 */
struct cost {
	const char *keys[KEYS_MAX];
	uint64_t min;
	uint64_t max;
	uint64_t count;
	uint64_t cs_count;
	bool has_switched;
	uint64_t timed;
	uint64_t unknown;
	struct times sample;
	struct times times;
	uint64_t hook_count;
	uint64_t hook_sum;
	uint64_t hook_own;
	uint64_t shares[SHARES];
};

/**
 * struct costs - all groups of a grouping
 * @rows: in the kernel's order
 * @sorted: the same by their keys
 * @count: how many
 * @has_switched: as in their rows, where all runs have these times
 * @has_shares: all runs have the distributions of shares
 * @times: times of all
 */
struct costs {
	struct cost *rows;
	const struct cost **sorted;
	size_t count;
	bool has_switched;
	bool has_shares;
	struct times times;
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

/* Set @times from @sample. */
void cost_estimate(struct cost *cost);

/* Add the calls of another group. */
void cost_add(struct cost *into, const struct cost *cost);

/* Calls of this group since it was @before: counters that went back were reset in between, and all of them is new. */
struct cost cost_since(const struct cost *before, const struct cost *cost);

/* All calls. */
uint64_t cost_calls(const struct cost *cost);

/* The calls that @times are of. */
uint64_t cost_covered(const struct cost *cost);

/* The calls that @sample is of; and those of them that have this time. */
uint64_t cost_timed(const struct cost *cost);
uint64_t cost_with(const struct cost *cost, enum time time);

/* Ticks of a mean call; 0 if none has that time. */
double cost_ave(const struct cost *cost, enum time time);

#endif
