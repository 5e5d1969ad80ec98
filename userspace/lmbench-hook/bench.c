// SPDX-License-Identifier: GPL-2.0-only
/* The table of sub-benchmarks, and how patterns select from it. */

#include "bench.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tree.h"

/**
 * struct group - the sub-benchmarks of one file
 * @benches: ends with an entry without a name
 * @files: they are file operations
 */
static const struct group {
	const struct bench *benches;
	bool files;
} groups[] = {
	{ stat_benches, true },
	{ open_benches, true },
	{ data_benches, true },
	{ name_benches, true },
	{ directory_benches, true },
	{ socket_benches, false },
	{ message_benches, false },
	{ process_benches, false },
	{ memory_benches, false },
	{ mount_benches, false },
	{ key_benches, false },
	{ denied_benches, false },
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

static bool chosen(const struct bench *bench, char **patterns, bool *used, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		if (fnmatch(patterns[i], bench->name, FNM_PATHNAME))
			continue;
		used[i] = true;
		found = true;
	}
	return found;
}

static int add(struct bench_list *list, const struct bench *bench)
{
	const struct bench **items = realloc(list->items, (list->count + 1) * sizeof(*items));

	if (!items)
		return -1;
	list->items = items;
	items[list->count++] = bench;
	return 0;
}

static int select_default(struct bench_list *list, enum bench_default otherwise)
{
	for (size_t g = 0; g < GROUPS; g++)
		for (const struct bench *b = groups[g].benches; b->name; b++)
			if ((groups[g].files || otherwise == BENCH_ALL) && add(list, b))
				return -1;
	return 0;
}

static int select_used(struct bench_list *list, char **patterns, bool *used, size_t count)
{
	for (size_t g = 0; g < GROUPS; g++)
		for (const struct bench *b = groups[g].benches; b->name; b++)
			if (chosen(b, patterns, used, count) && add(list, b))
				return -1;

	for (size_t i = 0; i < count; i++) {
		if (used[i])
			continue;
		fprintf(stderr,
			"lmbench-hook: no sub-benchmark matches '%s'; `lmbench-hook list` names "
			"them; * and ? match as in a shell, but not a slash\n",
			patterns[i]);
		return -1;
	}
	return 0;
}

/* A pattern that matches nothing is an error: it is misspelt. */
int bench_select(struct bench_list *list, char **patterns, size_t count,
		 enum bench_default otherwise)
{
	bool *used;
	int err;

	if (!count)
		return select_default(list, otherwise);
	used = calloc(count, sizeof(*used));
	err = used ? select_used(list, patterns, used, count) : -1;
	free(used);
	return err;
}

void bench_list_free(struct bench_list *list)
{
	free(list->items);
	*list = (struct bench_list){ 0 };
}

/* Returns 1 with errno set if this machine cannot do it. */
int bench_setup(const struct bench *bench, struct place *place)
{
	place_defaults(place, bench->size);
	if (!bench->setup)
		return 0;
	return tree_enter(place) ? -1 : bench->setup(place, bench);
}

/* Also called after a setup that failed half way. */
void bench_clear(const struct bench *bench, struct place *place)
{
	place_close(place);
	if (bench->clear)
		bench->clear(place);
	if (bench->setup)
		tree_leave(place);
}

int bench_begin(const struct bench *bench, struct place *place, size_t rounds)
{
	return bench->begin ? bench->begin(place, rounds) : 0;
}

int bench_before(const struct bench *bench, struct place *place)
{
	return bench->before ? bench->before(place) : 0;
}

int bench_after(const struct bench *bench, struct place *place)
{
	return bench->after ? bench->after(place) : 0;
}

int bench_finish(const struct bench *bench, struct place *place, size_t rounds)
{
	return bench->finish ? bench->finish(place, rounds) : 0;
}

static int some_rounds(const struct bench *bench, struct place *place, size_t rounds)
{
	if (bench_begin(bench, place, rounds))
		return -1;
	for (place->index = 0; place->index < rounds; place->index++)
		if (bench_before(bench, place) || bench->call(place) || bench_after(bench, place))
			return -1;
	return bench_finish(bench, place, rounds);
}

int bench_rounds(const struct bench *bench, struct place *place, size_t rounds)
{
	size_t most = bench->many ? place->many : rounds;

	for (; rounds > most; rounds -= most)
		if (some_rounds(bench, place, most))
			return -1;
	return some_rounds(bench, place, rounds);
}

/* For the end of a setup function: returns 1 with errno set if a round cannot be made on this machine. */
int bench_try(const struct bench *bench, struct place *place)
{
	return bench_rounds(bench, place, 1) ? 1 : 0;
}
