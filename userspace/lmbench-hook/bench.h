/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_BENCH_H
#define LMBENCH_HOOK_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "place.h"

/**
 * struct bench - one sub-benchmark: one system call, timed by itself
 * @name: its name in patterns and tables; a variation of a call is CALL/VARIATION
 * @calls: the system calls of one round, in order, the timed one in brackets
 * @what: one line for people
 * @size: bytes that the timed call transfers, or 0
 * @depth: components of the path, for variations by depth
 * @many: a sample is the mean of place->many rounds, each timed by itself
 * @setup: makes what a variation needs in place->tree; setup and rounds run in that directory. NULL
 *         if nothing is needed; the rounds then run in the directory of the start. Returns 1 with
 *         errno set to leave the variation out because this machine lacks what it needs
 * @begin: untimed, before the first round of a sample, or NULL; only with @many
 * @before: untimed calls of each round that make the timed one possible, or NULL
 * @call: the timed system call and nothing else
 * @after: untimed calls of each round that undo the timed one, or NULL
 * @finish: untimed, after the last round of a sample, or NULL; only with @many
 * @clear: removes what setup made outside place->tree, also after a failure, or NULL
 *
 * Each function returns 0, or -1 with errno set.
 */
struct bench {
	const char *name;
	const char *calls;
	const char *what;
	size_t size;
	unsigned int depth;
	bool many;
	int (*setup)(struct place *place, const struct bench *bench);
	int (*begin)(struct place *place, size_t rounds);
	int (*before)(struct place *place);
	int (*call)(struct place *place);
	int (*after)(struct place *place);
	int (*finish)(struct place *place, size_t rounds);
	void (*clear)(struct place *place);
};

/* Each file of calls has one list, which ends with an entry without a name. */
extern const struct bench stat_benches[];
extern const struct bench open_benches[];
extern const struct bench data_benches[];
extern const struct bench name_benches[];
extern const struct bench directory_benches[];
extern const struct bench socket_benches[];
extern const struct bench message_benches[];
extern const struct bench process_benches[];
extern const struct bench memory_benches[];
extern const struct bench mount_benches[];
extern const struct bench key_benches[];
extern const struct bench denied_benches[];

/* Has a verb of its own: it times a walk through a tree instead of a single system call. */
extern const struct bench openit_bench;

/**
 * struct bench_list - the sub-benchmarks that the patterns selected, in table order
 * @items: pointers into the lists above
 * @count: how many
 */
struct bench_list {
	const struct bench **items;
	size_t count;
};

/* Default selection, without a pattern. */
enum bench_default { BENCH_FILES, BENCH_ALL };

int bench_select(struct bench_list *list, char **patterns, size_t count,
		 enum bench_default otherwise);
void bench_list_free(struct bench_list *list);

int bench_try(const struct bench *bench, struct place *place);
int bench_setup(const struct bench *bench, struct place *place);
void bench_clear(const struct bench *bench, struct place *place);

int bench_begin(const struct bench *bench, struct place *place, size_t rounds);
int bench_before(const struct bench *bench, struct place *place);
int bench_after(const struct bench *bench, struct place *place);
int bench_finish(const struct bench *bench, struct place *place, size_t rounds);
int bench_rounds(const struct bench *bench, struct place *place, size_t rounds);

#endif
