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

/* The groupings that the kernel keeps counters for. It has none for modules by system call, for example. */
static const struct grouping groupings[] = {
	{ "verdicts", { "hook" }, 1, { TIMES } },
	{ "verdicts", { "verdict" }, 1, { TIMES } },
	{ "verdicts", { "hook", "verdict" }, 2, { TIMES } },
	{ "modules", { "module" }, 1, { TIMES } },
	{ "modules", { "module", "hook" }, 2, { TIMES } },
	{ "cpus", { "cpu" }, 1, { TIMES } },
	{ "syscalls", { "syscall" }, 1, { TIMES } },
	{ "syscalls", { "syscall", "hook" }, 2, { TIMES } },
};

const struct grouping grouping_denials = {
	"denials", { "hook", "errno" }, 2, { "count", "cs_count" }
};

const struct grouping grouping_calls = {
	"calls", { "syscall" }, 1, { "count", "sum", "hook_count", "hook_sum" }
};

#define GROUPINGS (sizeof(groupings) / sizeof(*groupings))

/* Whether the text is "first" or "first,second". */
static bool names(const char *text, const char *first, const char *second)
{
	size_t length = strlen(first);

	if (strncmp(text, first, length))
		return false;
	text += length;
	return second ? *text == ',' && !strcmp(text + 1, second) : !*text;
}

static int no_grouping(const char *text)
{
	struct nearest nearest;
	char *meant;

	nearest_begin(&nearest, text);
	for (size_t i = 0; i < GROUPINGS; i++)
		if (!groupings[i].keys[1])
			nearest_try(&nearest, groupings[i].keys[0]);
	meant = nearest_text(&nearest);
	complain("--by '%s': give hook, module, syscall, verdict or cpu; or hook with module, syscall or "
		 "verdict, as in module,hook: the kernel has no other counters%s", text, meant);
	free(meant);
	return -1;
}

/* The keys may come in any order; the columns follow it. */
int grouping_parse(struct grouping *grouping, const char *text)
{
	for (size_t i = 0; i < GROUPINGS; i++) {
		const char *const *keys = groupings[i].keys;

		*grouping = groupings[i];
		if (names(text, keys[0], keys[1]))
			return 0;
		if (!keys[1] || !names(text, keys[1], keys[0]))
			continue;
		grouping->keys[0] = keys[1];
		grouping->keys[1] = keys[0];
		return 0;
	}
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
	{ "sum", offsetof(struct cost, sum) },
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
