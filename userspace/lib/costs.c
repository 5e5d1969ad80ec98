// SPDX-License-Identifier: GPL-2.0-only
#include "costs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"
#include "nearest.h"

/* The newest of the tables that say who pays. */
#define TASKS "tasks"

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
	{ TASKS, "task", { "pid", "tid", "comm", "syscall", "hook" } },
	{ "nested", "nested", { "hook", "outer", "module" } },
};

const struct grouping grouping_denials = {
	.table = "denials", .keys = { "hook", "errno" }, .key_count = 2, .needs = { "count", "cs_count" },
};

const struct grouping grouping_calls = {
	.table = "calls", .feature = "calls", .keys = { "syscall" }, .key_count = 1,
	.needs = { "count", "sum", "hook_count", "hook_sum" },
};

/* Columns of disturbed calls; a table has all of them or is of an older kernel. */
static const char *const disturbed[] = {
	"irq_time", "cs_sum", "cs_own", "cs_max", "slept", "preempted", "unknown",
};

static const char *const shares[SHARES] = {
	"share010", "share020", "share030", "share040", "share050",
	"share060", "share070", "share080", "share090", "share100",
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

int grouping_key(const struct grouping *grouping, const char *key)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		if (!strcmp(grouping->keys[i], key))
			return i;
	return -1;
}

/* Whether a source has all of the words; the columns are in their order. */
static bool matches(struct grouping *grouping, const struct source *source, const char *words)
{
	*grouping = (struct grouping){
		.table = source->table, .feature = source->feature, .needs = { TIMES },
	};
	for (;; words++) {
		const char *key = find_key(source, words);

		if (!key || grouping_key(grouping, key) >= 0)
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

bool grouping_find(struct grouping *grouping, const char *text)
{
	for (size_t i = 0; i < SOURCES; i++)
		if (matches(grouping, &sources[i], text))
			return true;
	return false;
}

int grouping_parse(struct grouping *grouping, const char *text)
{
	return grouping_find(grouping, text) ? 0 : no_grouping(text);
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

/* A line of a table: what it has of these columns, and 0 for the others. */
struct line {
	uint64_t min, max, count, cs_count, sum, timed;
	uint64_t irq_time, cs_sum, cs_own, cs_max, slept, preempted, unknown;
	uint64_t hook_count, hook_sum, cs_hook_count, cs_hook_sum, hook_own;
	uint64_t shares[SHARES];
};

#define FIELD(name) { #name, offsetof(struct line, name) }

/* Those that a grouping does not need may be missing. */
static const struct { const char *column; size_t offset; } fields[] = {
	FIELD(min), FIELD(max), FIELD(count), FIELD(cs_count), FIELD(sum), FIELD(timed),
	FIELD(irq_time), FIELD(cs_sum), FIELD(cs_own), FIELD(cs_max), FIELD(slept), FIELD(preempted), FIELD(unknown),
	FIELD(hook_count), FIELD(hook_sum), FIELD(cs_hook_count), FIELD(cs_hook_sum), FIELD(hook_own),
};

#define FIELDS (sizeof(fields) / sizeof(*fields))

struct columns {
	int keys[KEYS_MAX];
	int fields[FIELDS];
	int shares[SHARES];
};

static bool has_all(const struct table *table, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (table_find(table, names[i]) < 0)
			return false;
	return true;
}

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
	for (size_t i = 0; i < SHARES; i++)
		columns->shares[i] = table_find(table, shares[i]);
	return 0;
}

uint64_t cost_calls(const struct cost *cost)
{
	return cost->count + cost->cs_count;
}

uint64_t cost_covered(const struct cost *cost)
{
	return cost->count + (cost->has_switched ? cost->cs_count : 0);
}

uint64_t cost_timed(const struct cost *cost)
{
	return cost->timed + (cost->has_switched ? cost->cs_count : 0);
}

static uint64_t less(uint64_t number, uint64_t part)
{
	return number > part ? number - part : 0;
}

uint64_t cost_with(const struct cost *cost, enum time time)
{
	return time == WALL_TIME ? cost_timed(cost) : less(cost_timed(cost), cost->unknown);
}

void cost_estimate(struct cost *cost)
{
	uint64_t timed = cost_timed(cost);
	double each;

	cost->times = cost->sample;
	if (!timed || timed >= cost_covered(cost))
		return;
	each = (double)cost_covered(cost) / timed;
	cost->times.own = cost->sample.own * each + 0.5;
	cost->times.wall = cost->sample.wall * each + 0.5;
	cost->times.slept = cost->sample.slept * each + 0.5;
	cost->times.preempted = cost->sample.preempted * each + 0.5;
}

/* A kernel that knows nothing of switches has only what calls without them took. */
static void fill_times(struct cost *cost, const struct line *line)
{
	cost->sample = (struct times){ .own = line->sum, .wall = line->sum };
	cost->max = line->max;
	cost->hook_count = line->hook_count;
	cost->hook_sum = cost->hook_own = line->hook_sum;
	if (!cost->has_switched)
		return;
	cost->sample = (struct times){
		.own = less(line->sum, line->irq_time) + line->cs_own, .wall = line->sum + line->cs_sum,
		.slept = line->slept, .preempted = line->preempted,
	};
	cost->max = line->cs_max > line->max ? line->cs_max : line->max;
	cost->unknown = line->unknown;
	cost->hook_count += line->cs_hook_count;
	cost->hook_sum += line->cs_hook_sum;
	cost->hook_own = line->hook_own;
	memcpy(cost->shares, line->shares, sizeof(cost->shares));
}

static int read_line(struct line *line, const struct table *table, size_t row, const struct columns *columns)
{
	for (size_t i = 0; i < FIELDS; i++) {
		uint64_t *field = (uint64_t *)((char *)line + fields[i].offset);

		if (table_number(table, row, columns->fields[i], field))
			return -1;
	}
	for (size_t i = 0; i < SHARES; i++)
		if (table_number(table, row, columns->shares[i], &line->shares[i]))
			return -1;
	/* The column is there only where not all calls were timed. */
	if (table_find(table, "timed") < 0)
		line->timed = line->count;
	return 0;
}

static int read_row(struct cost *cost, const struct table *table, size_t row,
		    const struct columns *columns, size_t key_count)
{
	struct line line;

	for (size_t i = 0; i < key_count; i++)
		if (!(cost->keys[i] = table_text(table, row, columns->keys[i])))
			return complain("%s: record %zu ends before its names", table->name, row + 1);
	if (read_line(&line, table, row, columns))
		return -1;
	cost->min = line.min;
	cost->count = line.count;
	cost->cs_count = line.cs_count;
	cost->timed = line.timed;
	fill_times(cost, &line);
	cost_estimate(cost);
	return 0;
}

static int read_run(struct raws *raws, const struct run *run, const struct grouping *grouping, bool has_switched)
{
	const struct table *table = run_table(run, grouping->table);
	struct columns columns;

	if (!table || find_columns(&columns, table, grouping))
		return -1;
	for (size_t row = 0; row < table->row_count; row++) {
		struct raw raw = { .order = raws->count, .cost.has_switched = has_switched };

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

void cost_add(struct cost *into, const struct cost *cost)
{
	if (cost->timed && (!into->timed || cost->min < into->min))
		into->min = cost->min;
	if (cost->max > into->max)
		into->max = cost->max;
	into->count += cost->count;
	into->cs_count += cost->cs_count;
	into->has_switched |= cost->has_switched;
	into->timed += cost->timed;
	into->unknown += cost->unknown;
	times_add(&into->sample, &cost->sample);
	times_add(&into->times, &cost->times);
	into->hook_count += cost->hook_count;
	into->hook_sum += cost->hook_sum;
	into->hook_own += cost->hook_own;
	for (size_t i = 0; i < SHARES; i++)
		into->shares[i] += cost->shares[i];
}

static uint64_t since(uint64_t before, uint64_t after)
{
	return after >= before ? after - before : after;
}

struct cost cost_since(const struct cost *before, const struct cost *cost)
{
	static const struct cost none;
	struct cost more;

	if (cost_calls(cost) < cost_calls(before))
		before = &none;
	more = (struct cost){
		.count = since(before->count, cost->count),
		.cs_count = since(before->cs_count, cost->cs_count),
		.has_switched = cost->has_switched,
		.timed = since(before->timed, cost->timed),
		.unknown = since(before->unknown, cost->unknown),
		.sample = {
			.own = since(before->sample.own, cost->sample.own),
			.wall = since(before->sample.wall, cost->sample.wall),
			.slept = since(before->sample.slept, cost->sample.slept),
			.preempted = since(before->sample.preempted, cost->sample.preempted),
		},
	};

	memcpy(more.keys, cost->keys, sizeof(more.keys));
	cost_estimate(&more);
	return more;
}

/* Merge rows with the same keys into the first of them. */
static void merge_all(struct raws *raws)
{
	size_t kept = 0;

	qsort(raws->rows, raws->count, sizeof(*raws->rows), by_keys);
	for (size_t i = 0; i < raws->count; i++) {
		if (kept && !compare_keys(&raws->rows[kept - 1].cost, &raws->rows[i].cost))
			cost_add(&raws->rows[kept - 1].cost, &raws->rows[i].cost);
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
		times_add(&costs->times, &raws->rows[i].cost.times);
	}
	qsort(costs->sorted, costs->count, sizeof(*costs->sorted), by_keys_only);
}

/* The table; NULL after a complaint, which says what else can be given if the kernel does not count by task. */
static const struct table *need_table(const struct run *run, const struct grouping *grouping)
{
	if (run_text(run, grouping->table) || strcmp(grouping->table, TASKS))
		return run_table(run, grouping->table);
	complain("there is no table '" TASKS "', which has calls by %s: the kernel has none, or the record is of an older one; "
		 "give " GROUPINGS_BUT_TASKS, grouping->keys[0]);
	return NULL;
}

/* Runs of which some have no such times cannot be added up with them. */
static int find_times(struct costs *costs, const struct run *runs, size_t run_count, const struct grouping *grouping)
{
	costs->has_switched = !grouping->ignores_switched;
	costs->has_shares = true;
	for (size_t i = 0; i < run_count; i++) {
		const struct table *table = need_table(&runs[i], grouping);

		if (!table)
			return -1;
		costs->has_switched &= has_all(table, disturbed, sizeof(disturbed) / sizeof(*disturbed));
		costs->has_shares &= has_all(table, shares, SHARES);
	}
	return 0;
}

int costs_read(struct costs *costs, const struct run *runs, size_t run_count,
	       const struct grouping *grouping)
{
	struct raws raws = { .rows = xcalloc(1, sizeof(*raws.rows)) };
	int error;

	*costs = (struct costs){ 0 };
	error = find_times(costs, runs, run_count, grouping);
	for (size_t i = 0; i < run_count && !error; i++)
		error = read_run(&raws, &runs[i], grouping, costs->has_switched);
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

double cost_ave(const struct cost *cost, enum time time)
{
	uint64_t calls = cost_with(cost, time);

	return calls ? (double)times_of(&cost->sample, time) / calls : 0;
}
