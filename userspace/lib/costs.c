// SPDX-License-Identifier: GPL-2.0-only
#include "costs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"
#include "nearest.h"

#define TIMES "min", "max", "count", "cs_count", "sum"

/**
 * struct source - a file in lsmmon/ that groups calls
 * @table: its name
 * @feature: the feature that it needs; NULL if none
 * @keys: its key columns
 */
struct source {
	const char *table;
	const char *feature;
	const char *keys[KEYS_MAX];
};

/* The first that has all wanted keys is used. */
static const struct source sources[] = {
	{ "verdicts", NULL, { "hook", "verdict" } },
	{ "modules", "module", { "module", "hook" } },
	{ "syscalls", "syscall", { "syscall", "hook" } },
	{ "cpus", NULL, { "cpu" } },
	{ "comms", "comm", { "comm", "hook" } },
	{ "cgroups", "cgroup", { "cgroup", "hook" } },
	{ "stacks", "stack", { "syscall", "hook", "module" } },
};

const struct grouping grouping_denials = {
	"denials", NULL, { "hook", "errno" }, 2, { "count", "cs_count" }
};

const struct grouping grouping_calls = {
	"calls", "calls", { "syscall" }, 1, { "count", "sum", "hook_count", "hook_sum" }
};

#define SOURCES (sizeof(sources) / sizeof(*sources))

/* The key that is named by a word, which ends at a comma or the end; NULL if the source has no such key. */
static const char *find_key(const struct source *source, const char *word)
{
	size_t length = strcspn(word, ",");

	for (size_t i = 0; i < KEYS_MAX && source->keys[i]; i++)
		if (!strncmp(source->keys[i], word, length) && !source->keys[i][length])
			return source->keys[i];
	return NULL;
}

static bool has_key(const struct grouping *grouping, const char *key)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		if (!strcmp(grouping->keys[i], key))
			return true;
	return false;
}

/* Whether a source has all of the words; the columns are in their order. */
static bool matches(struct grouping *grouping, const struct source *source, const char *words)
{
	*grouping = (struct grouping){ source->table, source->feature, { NULL }, 0, { TIMES } };
	for (;; words++) {
		const char *key = find_key(source, words);

		if (!key || has_key(grouping, key))
			return false;
		grouping->keys[grouping->key_count++] = key;
		words += strlen(key);
		if (!*words)
			return true;
	}
}

static int no_grouping(const char *text)
{
	struct nearest nearest;
	char *meant;

	nearest_begin(&nearest, text);
	for (size_t i = 0; i < SOURCES; i++)
		for (size_t key = 0; key < KEYS_MAX && sources[i].keys[key]; key++)
			nearest_try(&nearest, sources[i].keys[key]);
	meant = nearest_text(&nearest);
	complain("--by '%s': give " GROUPINGS "%s", text, meant);
	free(meant);
	return -1;
}

int grouping_parse(struct grouping *grouping, const char *text)
{
	for (size_t i = 0; i < SOURCES; i++)
		if (matches(grouping, &sources[i], text))
			return 0;
	return no_grouping(text);
}

/* A row as it was read, with its position. */
struct raw {
	struct cost cost;
	size_t order;
};

struct raws {
	struct raw *rows;
	size_t count;
	size_t key_count;
};

/* Columns of a cost. Those that a grouping does not need may be missing. */
static const struct { const char *column; size_t offset; } fields[] = {
	{ "min", offsetof(struct cost, min) },
	{ "max", offsetof(struct cost, max) },
	{ "count", offsetof(struct cost, count) },
	{ "cs_count", offsetof(struct cost, cs_count) },
	{ "sum", offsetof(struct cost, timed_sum) },
	{ "timed", offsetof(struct cost, timed) },
	{ "hook_count", offsetof(struct cost, hook_count) },
	{ "hook_sum", offsetof(struct cost, hook_sum) },
};

#define FIELDS (sizeof(fields) / sizeof(*fields))

struct columns {
	int keys[KEYS_MAX];
	int fields[FIELDS];
};

static int find_columns(struct columns *columns, const struct table *table,
			const struct grouping *grouping)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		if ((columns->keys[i] = table_need(table, grouping->keys[i])) < 0)
			return -1;
	for (size_t i = 0; i < NEEDS_MAX && grouping->needs[i]; i++)
		if (table_need(table, grouping->needs[i]) < 0)
			return -1;
	for (size_t i = 0; i < FIELDS; i++)
		columns->fields[i] = table_find(table, fields[i].column);
	return 0;
}

void cost_estimate(struct cost *cost)
{
	cost->sum = cost->timed_sum;
	if (cost->timed && cost->timed < cost->count)
		cost->sum = cost_ave(cost) * cost->count + 0.5;
}

static int read_row(struct cost *cost, const struct table *table, size_t row,
		    const struct columns *columns, size_t key_count)
{
	for (size_t i = 0; i < key_count; i++)
		if (!(cost->keys[i] = table_text(table, row, columns->keys[i])))
			return complain("%s: record %zu ends before its names", table->name, row + 1);
	for (size_t i = 0; i < FIELDS; i++) {
		uint64_t *field = (uint64_t *)((char *)cost + fields[i].offset);

		if (table_number(table, row, columns->fields[i], field))
			return -1;
	}
	/* The column is there only where not all calls were timed. */
	if (table_find(table, "timed") < 0)
		cost->timed = cost->count;
	cost_estimate(cost);
	return 0;
}

static int read_run(struct raws *raws, const struct run *run, const struct grouping *grouping)
{
	const struct table *table = run_table(run, grouping->table);
	struct columns columns;

	if (!table || find_columns(&columns, table, grouping))
		return -1;
	for (size_t row = 0; row < table->row_count; row++) {
		struct raw raw = { .order = raws->count };

		if (read_row(&raw.cost, table, row, &columns, grouping->key_count))
			return -1;
		raws->rows = xgrow(raws->rows, raws->count, sizeof(raw));
		raws->rows[raws->count++] = raw;
	}
	return 0;
}

static int compare_keys(const struct cost *a, const struct cost *b)
{
	int order = 0;

	for (size_t i = 0; i < KEYS_MAX && a->keys[i] && !order; i++)
		order = strcmp(a->keys[i], b->keys[i]);
	return order;
}

static int by_keys(const void *left, const void *right)
{
	const struct raw *a = left, *b = right;

	return compare_keys(&a->cost, &b->cost) ?: (a->order > b->order) - (a->order < b->order);
}

static int by_order(const void *left, const void *right)
{
	const struct raw *a = left, *b = right;

	return (a->order > b->order) - (a->order < b->order);
}

static void merge(struct cost *into, const struct cost *cost)
{
	if (cost->timed && (!into->timed || cost->min < into->min))
		into->min = cost->min;
	if (cost->max > into->max)
		into->max = cost->max;
	into->count += cost->count;
	into->cs_count += cost->cs_count;
	into->sum += cost->sum;
	into->timed += cost->timed;
	into->timed_sum += cost->timed_sum;
	into->hook_count += cost->hook_count;
	into->hook_sum += cost->hook_sum;
}

/* Merge rows with the same keys into the first of them. */
static void merge_all(struct raws *raws)
{
	size_t kept = 0;

	qsort(raws->rows, raws->count, sizeof(*raws->rows), by_keys);
	for (size_t i = 0; i < raws->count; i++) {
		if (kept && !compare_keys(&raws->rows[kept - 1].cost, &raws->rows[i].cost))
			merge(&raws->rows[kept - 1].cost, &raws->rows[i].cost);
		else
			raws->rows[kept++] = raws->rows[i];
	}
	raws->count = kept;
	qsort(raws->rows, raws->count, sizeof(*raws->rows), by_order);
}

static int by_keys_only(const void *left, const void *right)
{
	const struct cost *const *a = left, *const *b = right;

	return compare_keys(*a, *b);
}

static void keep(struct costs *costs, const struct raws *raws)
{
	costs->rows = xcalloc(raws->count, sizeof(*costs->rows));
	costs->sorted = xcalloc(raws->count, sizeof(*costs->sorted));
	costs->count = raws->count;
	for (size_t i = 0; i < raws->count; i++) {
		costs->rows[i] = raws->rows[i].cost;
		costs->sorted[i] = &costs->rows[i];
		costs->sum += raws->rows[i].cost.sum;
	}
	qsort(costs->sorted, costs->count, sizeof(*costs->sorted), by_keys_only);
}

int costs_read(struct costs *costs, const struct run *runs, size_t run_count,
	       const struct grouping *grouping)
{
	struct raws raws = { .rows = xcalloc(1, sizeof(*raws.rows)) };
	int error = 0;

	*costs = (struct costs){ 0 };
	for (size_t i = 0; i < run_count && !error; i++)
		error = read_run(&raws, &runs[i], grouping);
	if (!error) {
		merge_all(&raws);
		keep(costs, &raws);
	}
	free(raws.rows);
	return error;
}

void costs_free(struct costs *costs)
{
	free(costs->rows);
	free(costs->sorted);
	*costs = (struct costs){ 0 };
}

static int compare_with(const struct cost *cost, const char *const *keys, size_t key_count)
{
	int order = 0;

	for (size_t i = 0; i < key_count && !order; i++)
		order = strcmp(cost->keys[i], keys[i]);
	return order;
}

/* How many rows are before all that begin with these keys; or, with 1 as @beyond, before all that come later. */
static size_t rows_before(const struct costs *costs, const char *const *keys, size_t key_count, int beyond)
{
	size_t low = 0, high = costs->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_with(costs->sorted[middle], keys, key_count) < beyond)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct cost *const *costs_with(const struct costs *costs, const char *const *keys, size_t key_count,
				     size_t *count)
{
	size_t first = rows_before(costs, keys, key_count, 0);

	*count = rows_before(costs, keys, key_count, 1) - first;
	return costs->sorted + first;
}

const struct cost *costs_find(const struct costs *costs, const char *const *keys, size_t key_count)
{
	size_t count;
	const struct cost *const *rows = costs_with(costs, keys, key_count, &count);

	return count ? *rows : NULL;
}

double cost_ave(const struct cost *cost)
{
	return cost->timed ? (double)cost->timed_sum / cost->timed : 0;
}
