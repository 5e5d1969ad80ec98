// SPDX-License-Identifier: GPL-2.0-only
/* The table of sub-benchmarks, and choosing from it by pattern. */

#include "bench.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const struct bench *const groups[] = {
	stat_benches, open_benches, data_benches, name_benches, directory_benches,
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

static bool chosen(const struct bench *bench, char **patterns, bool *used, size_t count)
{
	bool found = count == 0;

	for (size_t i = 0; i < count; i++) {
		if (fnmatch(patterns[i], bench->name, 0))
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

static int select_used(struct bench_list *list, char **patterns, bool *used, size_t count)
{
	for (size_t g = 0; g < GROUPS; g++)
		for (const struct bench *b = groups[g]; b->name; b++)
			if (chosen(b, patterns, used, count) && add(list, b))
				return -1;

	for (size_t i = 0; i < count; i++) {
		if (used[i])
			continue;
		fprintf(stderr,
			"lmbench-hook: no sub-benchmark matches '%s'; `lmbench-hook list` names "
			"them, and * and ? match as in a shell\n",
			patterns[i]);
		return -1;
	}
	return 0;
}

/* Without patterns, everything. A pattern that matches nothing is an error: it is a misspelling. */
int bench_select(struct bench_list *list, char **patterns, size_t count)
{
	bool *used = calloc(count + 1, sizeof(*used));
	int err = used ? select_used(list, patterns, used, count) : -1;

	free(used);
	return err;
}

void bench_list_free(struct bench_list *list)
{
	free(list->items);
	*list = (struct bench_list){ 0 };
}

int bench_before(const struct bench *bench, struct place *place)
{
	return bench->before ? bench->before(place) : 0;
}

int bench_after(const struct bench *bench, struct place *place)
{
	return bench->after ? bench->after(place) : 0;
}

int bench_round(const struct bench *bench, struct place *place)
{
	if (bench_before(bench, place) || bench->call(place))
		return -1;
	return bench_after(bench, place);
}
