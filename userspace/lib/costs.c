// SPDX-License-Identifier: GPL-2.0-only
#include "costs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "memory.h"

/* What the kernel tells apart. Modules by system call, say, it does not. */
static const struct grouping groupings[] = {
	{ "verdicts", { "hook" }, 1 },
	{ "verdicts", { "verdict" }, 1 },
	{ "verdicts", { "hook", "verdict" }, 2 },
	{ "modules", { "module" }, 1 },
	{ "modules", { "module", "hook" }, 2 },
	{ "syscalls", { "syscall" }, 1 },
	{ "syscalls", { "syscall", "hook" }, 2 },
};

#define GROUPINGS (sizeof(groupings) / sizeof(*groupings))

static bool has_key(const struct grouping *grouping, const char *word, size_t length)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		if (strlen(grouping->keys[i]) == length && !strncmp(grouping->keys[i], word, length))
			return true;
	return false;
}

/* In any order, since that of the columns follows the text. */
static bool has_keys(const struct grouping *grouping, const char *text, size_t *words)
{
	size_t length;

	for (*words = 0;; (*words)++, text += length + 1) {
		length = strcspn(text, ",");
		if (!has_key(grouping, text, length))
			return false;
		if (!text[length])
			break;
	}
	return ++*words == grouping->key_count;
}

int grouping_parse(struct grouping *grouping, const char *text)
{
	for (size_t i = 0; i < GROUPINGS; i++) {
		size_t words;

		*grouping = groupings[i];
		if (!has_keys(grouping, text, &words))
			continue;
		if (words == 2 && strncmp(text, grouping->keys[0], strlen(grouping->keys[0]))) {
			grouping->keys[0] = groupings[i].keys[1];
			grouping->keys[1] = groupings[i].keys[0];
		}
		return 0;
	}
	return complain("--by '%s': give hook, module, syscall or verdict; or two of them, one being hook",
			text);
}

/* A row as it was read, and where. */
struct raw {
	struct cost cost;
	size_t order;
};

struct raws {
	struct raw *rows;
	size_t count;
	size_t key_count;
};

struct columns {
	int keys[KEYS_MAX];
	int min, max, count, cs_count, sum;
};

static int find_columns(struct columns *columns, const struct table *table,
			const struct grouping *grouping)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		if ((columns->keys[i] = table_need(table, grouping->keys[i])) < 0)
			return -1;
	columns->min = table_need(table, "min");
	columns->max = table_need(table, "max");
	columns->count = table_need(table, "count");
	columns->cs_count = table_need(table, "cs_count");
	columns->sum = table_need(table, "sum");
	return columns->min < 0 || columns->max < 0 || columns->count < 0 ||
	       columns->cs_count < 0 || columns->sum < 0 ? -1 : 0;
}

static int read_row(struct cost *cost, const struct table *table, size_t row,
		    const struct columns *columns, size_t key_count)
{
	for (size_t i = 0; i < key_count; i++)
		if (!(cost->keys[i] = table_text(table, row, columns->keys[i])))
			return complain("%s: record %zu ends before its names", table->name, row + 1);
	return table_number(table, row, columns->min, &cost->min) ||
	       table_number(table, row, columns->max, &cost->max) ||
	       table_number(table, row, columns->count, &cost->count) ||
	       table_number(table, row, columns->cs_count, &cost->cs_count) ||
	       table_number(table, row, columns->sum, &cost->sum) ? -1 : 0;
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
	int order = strcmp(a->keys[0], b->keys[0]);

	if (order || !a->keys[1])
		return order;
	return strcmp(a->keys[1], b->keys[1]);
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
	if (cost->count && (!into->count || cost->min < into->min))
		into->min = cost->min;
	if (cost->max > into->max)
		into->max = cost->max;
	into->count += cost->count;
	into->cs_count += cost->cs_count;
	into->sum += cost->sum;
}

/* Rows of the same keys become one, in the place of the first of them. */
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
		costs->rows = xcalloc(raws.count, sizeof(*costs->rows));
		costs->count = raws.count;
		for (size_t i = 0; i < raws.count; i++) {
			costs->rows[i] = raws.rows[i].cost;
			costs->sum += raws.rows[i].cost.sum;
		}
	}
	free(raws.rows);
	return error;
}

void costs_free(struct costs *costs)
{
	free(costs->rows);
	*costs = (struct costs){ 0 };
}

const struct cost *costs_find(const struct costs *costs, const char *const *keys, size_t key_count)
{
	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->rows[i];

		if (!strcmp(cost->keys[0], keys[0]) &&
		    (key_count < 2 || !strcmp(cost->keys[1], keys[1])))
			return cost;
	}
	return NULL;
}

double cost_ave(const struct cost *cost)
{
	return cost->count ? (double)cost->sum / cost->count : 0;
}
