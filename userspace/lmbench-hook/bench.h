/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_BENCH_H
#define LMBENCH_HOOK_BENCH_H

#include <stddef.h>

#include "place.h"

/**
 * struct bench - one sub-benchmark: one system call, timed by itself
 * @name: what patterns match and every table shows
 * @calls: the system calls of one round, in order, the timed one in brackets
 * @what: one line for people
 * @size: bytes that a read or write moves, else 0
 * @before: untimed calls of each round that make the timed one possible, or NULL
 * @call: the timed system call, and no other
 * @after: untimed calls of each round that undo the timed one, or NULL
 *
 * Each function returns 0, or -1 with errno set.
 */
struct bench {
	const char *name;
	const char *calls;
	const char *what;
	size_t size;
	int (*before)(struct place *place);
	int (*call)(struct place *place);
	int (*after)(struct place *place);
};

/* Each file of calls contributes one list, ended by an entry without a name. */
extern const struct bench stat_benches[];
extern const struct bench open_benches[];
extern const struct bench data_benches[];
extern const struct bench name_benches[];
extern const struct bench directory_benches[];

/**
 * struct bench_list - the sub-benchmarks that the patterns chose, in table order
 * @items: pointers into the lists above
 * @count: how many
 */
struct bench_list {
	const struct bench **items;
	size_t count;
};

int bench_select(struct bench_list *list, char **patterns, size_t count);
void bench_list_free(struct bench_list *list);

int bench_before(const struct bench *bench, struct place *place);
int bench_after(const struct bench *bench, struct place *place);
int bench_round(const struct bench *bench, struct place *place);

#endif
