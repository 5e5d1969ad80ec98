// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon diff: what changed from one record to another, and how sure that is. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commands.h"
#include "complain.h"
#include "costs.h"
#include "options.h"
#include "welch.h"

#define STATUS_ABOVE 1
#define ALL "(all)"

enum key { KEY_BY = 512, KEY_SORT, KEY_TOP, KEY_FAIL_ABOVE, KEY_MIN_COUNT };

struct diff {
	struct options options;
	const char *paths[2];
	size_t path_count;
	const char *by;
	const char *sort;
	size_t top;
	size_t min_count;
	double fail_above;
};

/**
 * struct side - one of both records
 * @record: the whole of it
 * @all: costs of all its runs
 * @runs: costs of each
 * @per_tick: units of the table in a tick of this record's clock
 */
struct side {
	struct record record;
	struct costs all;
	struct costs *runs;
	double per_tick;
};

/**
 * struct change - of a row
 * @is_known: it is on both sides
 * @is_sure_known: there were runs enough to tell how sure it is
 * @percent: of the mean call's time
 * @half: half of the interval in which that is by 95 %, in percent points
 */
struct change {
	bool is_known;
	bool is_sure_known;
	double percent;
	double half;
};

/* A mean call, in each run. Without keys: all rows together. */
static struct samples averages(const struct side *side, const char *const *keys, size_t key_count)
{
	struct samples samples = { 0 };

	for (size_t i = 0; i < side->record.run_count; i++) {
		const struct costs *costs = &side->runs[i];
		struct cost all = { .sum = costs->sum };
		const struct cost *cost = keys ? costs_find(costs, keys, key_count) : &all;

		for (size_t row = 0; !keys && row < costs->count; row++)
			all.count += costs->rows[row].count;
		if (cost && cost->count)
			samples_add(&samples, cost_ave(cost) * side->per_tick);
	}
	return samples;
}

static struct change change_of(const struct samples *a, const struct samples *b)
{
	struct change change = { .is_known = a->count && b->count && a->mean > 0 };

	if (!change.is_known)
		return change;
	change.percent = 100 * (b->mean - a->mean) / a->mean;
	change.is_sure_known = welch_half(a, b, &change.half);
	change.half *= 100 / a->mean;
	return change;
}

static bool is_sure(const struct change *change)
{
	return change->is_sure_known && fabs(change->percent) > change->half;
}

static void optional(struct sheet *sheet, bool is_set, double number)
{
	if (is_set)
		sheet_number(sheet, number);
	else
		sheet_nothing(sheet);
}

static void add_change(struct sheet *sheet, const struct change *change)
{
	optional(sheet, change->is_known, change->percent);
	optional(sheet, change->is_sure_known, change->half);
	if (!change->is_sure_known)
		sheet_nothing(sheet);
	else
		sheet_text(sheet, is_sure(change) ? "yes" : "no");
}

/* Calls and time of a run, on the average. */
static double per_run(const struct side *side, uint64_t number)
{
	return (double)number / side->record.run_count;
}

static void add_row(struct sheet *sheet, const struct side *sides, const struct cost *const *costs,
		    const struct samples *samples, const struct change *change)
{
	double sums[2] = { 0, 0 };

	for (size_t i = 0; i < 2; i++)
		optional(sheet, costs[i], costs[i] ? per_run(&sides[i], costs[i]->count) : 0);
	for (size_t i = 0; i < 2; i++)
		optional(sheet, samples[i].count, samples[i].mean);
	add_change(sheet, change);
	for (size_t i = 0; i < 2; i++) {
		if (costs[i])
			sums[i] = per_run(&sides[i], costs[i]->sum) * sides[i].per_tick;
		optional(sheet, costs[i], sums[i]);
	}
	sheet_number(sheet, sums[1] - sums[0]);
}

/* Within what chance does, nothing is above. */
static bool is_above(const struct diff *diff, const struct change *change)
{
	if (!change->is_known || change->percent <= diff->fail_above)
		return false;
	return !change->is_sure_known || is_sure(change);
}

static struct cost total(const struct costs *costs)
{
	struct cost all = { .sum = costs->sum };

	for (size_t i = 0; i < costs->count; i++)
		all.count += costs->rows[i].count;
	return all;
}

/* All rows in one, the first of the table. */
static bool add_total(struct sheet *sheet, const struct diff *diff, const struct side *sides,
		      size_t key_count)
{
	const struct cost totals[] = { total(&sides[0].all), total(&sides[1].all) };
	const struct cost *costs[] = { &totals[0], &totals[1] };
	const struct samples samples[] = {
		averages(&sides[0], NULL, 0), averages(&sides[1], NULL, 0)
	};
	struct change change = change_of(&samples[0], &samples[1]);

	sheet_text(sheet, ALL);
	for (size_t i = 1; i < key_count; i++)
		sheet_text(sheet, "");
	add_row(sheet, sides, costs, samples, &change);
	return is_above(diff, &change);
}

static bool add_one(struct sheet *sheet, const struct diff *diff, const struct side *sides,
		    const char *const *keys, size_t key_count)
{
	const struct cost *costs[2];
	struct samples samples[2];
	struct change change;

	for (size_t i = 0; i < 2; i++) {
		costs[i] = costs_find(&sides[i].all, keys, key_count);
		samples[i] = averages(&sides[i], keys, key_count);
	}
	for (size_t i = 0; i < 2; i++)
		if (costs[i] && per_run(&sides[i], costs[i]->count + costs[i]->cs_count) <
				(double)diff->min_count)
			return false;
	for (size_t i = 0; i < key_count; i++)
		sheet_text(sheet, keys[i]);
	change = change_of(&samples[0], &samples[1]);
	add_row(sheet, sides, costs, samples, &change);
	return is_above(diff, &change);
}

/* How many rows are above what is allowed. */
static size_t add_rows(struct sheet *sheet, const struct diff *diff, const struct side *sides,
		       size_t key_count)
{
	size_t above = add_total(sheet, diff, sides, key_count);

	for (size_t i = 0; i < sides[0].all.count; i++)
		above += add_one(sheet, diff, sides, sides[0].all.rows[i].keys, key_count);
	for (size_t i = 0; i < sides[1].all.count; i++) {
		const char *const *keys = sides[1].all.rows[i].keys;

		if (!costs_find(&sides[0].all, keys, key_count))
			above += add_one(sheet, diff, sides, keys, key_count);
	}
	return above;
}

static void add_columns(struct sheet *sheet, const struct grouping *grouping)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		sheet_column(sheet, grouping->keys[i], TEXT, 0);
	sheet_column(sheet, "count A", COUNT, 4);
	sheet_column(sheet, "count B", COUNT, 4);
	sheet_column(sheet, "ave A", TICKS, 1);
	sheet_column(sheet, "ave B", TICKS, 1);
	sheet_column(sheet, "change", CHANGE, 0);
	sheet_column(sheet, "+-", PERCENT, 2);
	sheet_column(sheet, "sure", TEXT, 0);
	sheet_column(sheet, "sum A", TICKS, 5);
	sheet_column(sheet, "sum B", TICKS, 5);
	sheet_column(sheet, "more", TICKS, 3);
}

static bool differs(const struct side *sides, const char *fact)
{
	const char *a = record_fact(&sides[0].record, fact), *b = record_fact(&sides[1].record, fact);

	return strcmp(a ?: "", b ?: "");
}

static void add_notes(struct sheet *sheet, const struct side *sides)
{
	static const char *const facts[] = { "kernel", "processor", "runner", "accelerator" };

	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (differs(sides, facts[i]))
			sheet_note(sheet, "A and B are of different %ss: %s and %s.", facts[i],
				   record_fact(&sides[0].record, facts[i]) ?: "unknown",
				   record_fact(&sides[1].record, facts[i]) ?: "unknown");
	if (sides[0].record.run_count < 2 || sides[1].record.run_count < 2)
		sheet_note(sheet, "How sure a change is cannot be told of one run: lsmpmon record -r 10, "
				  "or a directory of records.");
}

static char *title(const struct side *sides, const struct scale *scale)
{
	char *modules[2], *text;

	for (size_t i = 0; i < 2; i++)
		modules[i] = run_info(sides[i].record.runs, "modules");
	text = xasprintf("A: %s, %zu run%s, %s; B: %s, %zu run%s, %s; a mean call in %s",
			 sides[0].record.name, sides[0].record.run_count,
			 sides[0].record.run_count > 1 ? "s" : "", modules[0] ?: "modules unknown",
			 sides[1].record.name, sides[1].record.run_count,
			 sides[1].record.run_count > 1 ? "s" : "", modules[1] ?: "modules unknown",
			 scale->name);
	free(modules[0]);
	free(modules[1]);
	return text;
}

static void describe(struct sheet *sheet, const struct side *sides, const struct scale *scale)
{
	struct json_object *both = json_object_new_object();

	for (size_t i = 0; i < 2; i++) {
		sheet_describe(sheet, &sides[i].record);
		json_object_object_add(both, i ? "b" : "a", sheet->source);
		sheet->source = NULL;
		free(sheet->title);
	}
	sheet->source = both;
	sheet->title = title(sides, scale);
}

/* The numbers are in the unit already: both clocks may differ. */
static int print(const struct diff *diff, const struct side *sides, const struct scale *scale,
		 const struct grouping *grouping)
{
	struct sheet sheet;
	size_t above;

	sheet_init(&sheet, "diff", &(struct scale){ scale->name, 1, scale->decimals });
	describe(&sheet, sides, scale);
	add_columns(&sheet, grouping);
	above = add_rows(&sheet, diff, sides, grouping->key_count);
	add_notes(&sheet, sides);
	if (sheet_sort(&sheet, diff->sort)) {
		sheet_free(&sheet);
		return STATUS_ERROR;
	}
	if (diff->top)
		sheet_top(&sheet, diff->top);
	if (above)
		sheet_note(&sheet, "%zu row%s dearer by more than %g %%.", above,
			   above > 1 ? "s are" : " is", diff->fail_above);
	sheet_print(&sheet, &diff->options.style, stdout);
	sheet_free(&sheet);
	return above ? STATUS_ABOVE : EXIT_SUCCESS;
}

static int read_side(struct side *side, const char *path, enum unit unit, struct scale *scale,
		     const struct grouping *grouping)
{
	const struct record *record = &side->record;

	if (record_load_any(&side->record, path))
		return -1;
	if (scale_for(scale, record, unit) ||
	    costs_read(&side->all, record->runs, record->run_count, grouping))
		return -1;
	side->per_tick = scale->per_tick;
	side->runs = xcalloc(record->run_count, sizeof(*side->runs));
	for (size_t i = 0; i < record->run_count; i++)
		if (costs_read(&side->runs[i], &record->runs[i], 1, grouping))
			return -1;
	return 0;
}

static void free_side(struct side *side)
{
	for (size_t i = 0; side->runs && i < side->record.run_count; i++)
		costs_free(&side->runs[i]);
	free(side->runs);
	costs_free(&side->all);
	record_free(&side->record);
}

static int run(const struct diff *diff)
{
	struct side sides[2] = { 0 };
	struct scale scales[2];
	struct grouping grouping;
	int status = STATUS_ERROR;

	if (grouping_parse(&grouping, diff->by))
		return STATUS_ERROR;
	if (!read_side(&sides[0], diff->paths[0], diff->options.unit, &scales[0], &grouping) &&
	    !read_side(&sides[1], diff->paths[1], diff->options.unit, &scales[1], &grouping)) {
		if (strcmp(scales[0].name, scales[1].name))
			complain("A is in %s, B in %s: they cannot be compared", scales[0].name,
				 scales[1].name);
		else
			status = print(diff, sides, &scales[0], &grouping);
	}
	free_side(&sides[0]);
	free_side(&sides[1]);
	return status;
}

static double percent(struct argp_state *state, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (*end || end == text || !(value >= 0) || !isfinite(value))
		argp_error(state, "--fail-above '%s': give a percentage, as 5 or 2.5", text);
	return value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct diff *diff = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, &diff->options);
		break;
	case KEY_BY:
		diff->by = arg;
		break;
	case KEY_SORT:
		diff->sort = arg;
		break;
	case KEY_TOP:
		diff->top = option_number(state, "--top", arg, 1);
		break;
	case KEY_MIN_COUNT:
		diff->min_count = option_number(state, "--min-count", arg, 0);
		break;
	case KEY_FAIL_ABOVE:
		diff->fail_above = percent(state, arg);
		break;
	case ARGP_KEY_ARG:
		if (diff->path_count == 2)
			return ARGP_ERR_UNKNOWN;
		diff->paths[diff->path_count++] = arg;
		break;
	case ARGP_KEY_END:
		if (diff->path_count < 2)
			argp_error(state, "give two records, A and B");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_diff(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "by", KEY_BY, "WHAT", 0,
		  "hook (default), module, syscall, verdict, cpu, or two as in module,hook", 0 },
		{ "sort", KEY_SORT, "COLUMN", 0, "By any column (default: more, the time added)", 0 },
		{ "top", KEY_TOP, "N", 0, "The first N rows alone", 0 },
		{ "fail-above", KEY_FAIL_ABOVE, "PCT", 0,
		  "Exit with 1 if a mean call became dearer by more than PCT percent, in any row; if there "
		  "are runs enough to tell, only where that is sure", 0 },
		{ "min-count", KEY_MIN_COUNT, "N", 0, "Leave out rows of fewer than N calls a run", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_output, .args_doc = "A B",
		.doc = "What changed from A to B, each a record or a directory of records.",
	};
	struct diff diff = { .by = "hook", .sort = "more", .fail_above = INFINITY };

	options_init(&diff.options);
	argp_parse(&argp, argc, argv, 0, NULL, &diff);
	return run(&diff);
}
