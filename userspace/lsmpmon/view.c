// SPDX-License-Identifier: GPL-2.0-only
/* The table of costs that show and report print. */

#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"
#include "histogram.h"
#include "inner.h"
#include "other.h"
#include "student.h"
#include "total.h"

static const struct { const char *name; double share; int rank; } quantiles[] = {
	{ "p50", 0.5, 5 }, { "p90", 0.9, 3 }, { "p99", 0.99, 0 }, { "p99.9", 0.999, 4 },
};

#define QUANTILES (sizeof(quantiles) / sizeof(*quantiles))

/* The kernel has only the distributions of hooks. */
static bool is_by_hook(const struct view *view)
{
	return view->grouping.key_count == 1 && !strcmp(view->grouping.keys[0], "hook");
}

/* Whether averages are those of a sample. */
static bool has_error(const struct view *view, const struct record *record)
{
	return is_by_hook(view) && record_timed(record) > 1;
}

/**
 * struct parts - what is shown of a record besides the costs
 * @has_switched: times are of all calls, and have parts
 * @has_error: averages are those of a sample
 * @histograms: distributions of hooks, if anything needs them
 * @inner: hook calls inside others, where they are known
 */
struct parts {
	bool has_switched;
	bool has_error;
	struct histograms histograms;
	struct inner inner;
};

/* What the rest of the wall time was, unless it was nothing. */
static void add_columns_of_states(struct sheet *sheet, const struct view *view)
{
	sheet_column(sheet, view->time == WALL_TIME ? "own" : "wall", TICKS, view->quantiles ? 7 : 3);
	sheet_spare_column(sheet, "slept", TICKS, view->quantiles ? 6 : 2);
	sheet_spare_column(sheet, "preempted", TICKS, view->quantiles ? 7 : 3);
	sheet_spare_column(sheet, "interrupted", TICKS, 9);
}

/* On a narrow terminal, columns of high rank go first: with quantiles, the sum and the extremes before them. */
static void add_columns(struct sheet *sheet, const struct view *view, const struct parts *parts)
{
	for (size_t i = 0; i < view->grouping.key_count; i++)
		sheet_column(sheet, view->grouping.keys[i], TEXT, 0);
	sheet_column(sheet, "count", COUNT, 0);
	/* With it, count is all calls of which the other columns are. */
	sheet_spare_column(sheet, "cs_count", COUNT, 2);
	if (parts->has_switched)
		sheet_spare_column(sheet, "unknown", COUNT, 9);
	sheet_column(sheet, "min", TIMES, view->quantiles ? 8 : 4);
	sheet_column(sheet, "ave", TICKS, 0);
	if (parts->has_error)
		sheet_column(sheet, "+-", TICKS, 0);
	for (size_t i = 0; view->quantiles && i < QUANTILES; i++)
		sheet_column(sheet, quantiles[i].name, TIMES, quantiles[i].rank);
	sheet_column(sheet, "max", TIMES, view->quantiles ? 7 : 5);
	sheet_column(sheet, "sum", TICKS, view->quantiles ? 6 : 1);
	if (parts->inner.is_known)
		sheet_column(sheet, "self", TICKS, 2);
	if (parts->has_switched)
		add_columns_of_states(sheet, view);
	sheet_column(sheet, "share", PERCENT, 1);
}

static void time_cell(struct sheet *sheet, bool is_known, double ticks)
{
	if (is_known)
		sheet_number(sheet, ticks);
	else
		sheet_nothing(sheet);
}

static void add_quantiles(struct sheet *sheet, const struct cost *cost,
			  const struct histograms *histograms)
{
	const struct histogram *histogram = histograms_find(histograms, cost->keys[0]);

	for (size_t i = 0; i < QUANTILES; i++)
		if (histogram && histogram->count)
			sheet_number(sheet, histogram_quantile(histogram, quantiles[i].share, cost->max));
		else
			sheet_nothing(sheet);
}

/* Half of the interval in which the mean of all calls is, had each been timed. */
static void add_error(struct sheet *sheet, const struct cost *cost, const struct histograms *histograms, enum time time)
{
	const struct histogram *histogram = histograms_find(histograms, cost->keys[0]);
	double timed = cost_with(cost, time), left = 1 - timed / cost_covered(cost);

	if (!histogram || histogram->count < 2 || timed < 2) {
		sheet_nothing(sheet);
		return;
	}
	sheet_number(sheet, student_limit(SIGNIFICANCE_LEVEL, timed - 1) * histogram_deviation(histogram) / sqrt(timed) *
			    sqrt(fmax(left, 0)));
}

static void add_states(struct sheet *sheet, const struct cost *cost, enum time time)
{
	sheet_number(sheet, times_of(&cost->times, time == WALL_TIME ? OWN_TIME : WALL_TIME));
	sheet_number(sheet, cost->times.slept);
	sheet_number(sheet, cost->times.preempted);
	sheet_number(sheet, times_interrupted(&cost->times));
}

static void add_row(struct sheet *sheet, const struct view *view, const struct cost *cost, const struct parts *parts,
		    uint64_t total)
{
	const uint64_t sum = times_of(&cost->times, view->time);

	for (size_t i = 0; i < view->grouping.key_count; i++)
		sheet_text(sheet, cost->keys[i]);
	sheet_number(sheet, cost->count);
	sheet_number(sheet, cost->cs_count);
	if (parts->has_switched)
		sheet_number(sheet, cost->unknown);
	time_cell(sheet, cost->timed, cost->min);
	time_cell(sheet, cost_with(cost, view->time), cost_ave(cost, view->time));
	if (parts->has_error)
		add_error(sheet, cost, &parts->histograms, view->time);
	if (view->quantiles)
		add_quantiles(sheet, cost, &parts->histograms);
	time_cell(sheet, cost_timed(cost), cost->max);
	sheet_number(sheet, sum);
	if (parts->inner.is_known)
		sheet_number(sheet, inner_self(&parts->inner, cost));
	if (parts->has_switched)
		add_states(sheet, cost, view->time);
	sheet_number(sheet, total ? 100.0 * sum / total : 0);
}

static int check_quantiles(const struct view *view)
{
	if (view->quantiles && !is_by_hook(view))
		return complain("--quantiles needs --by hook: the kernel has only the distributions of hooks");
	return 0;
}

/* The lines of the filter that are set, with commas, for the caller to free; NULL if none is. */
static char *filter_of(const struct record *record)
{
	const char *text = run_text(record->runs, "filter") ?: "";
	char *line = NULL, *before;

	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (length < 2)
			continue;
		before = line;
		line = xasprintf("%s%s'%.*s'", before ?: "", before ? ", " : "", (int)length, text);
		free(before);
	}
	return line;
}

static void note_nothing(struct sheet *sheet, const struct record *record)
{
	char *filter = filter_of(record);

	if (filter)
		sheet_note(sheet, "No call passed the filter: %s.", filter);
	else
		sheet_note(sheet, "No call was counted: lsmpmon on, or lsmpmon record -- COMMAND.");
	free(filter);
}

/* Say when a table is empty because its feature was off. */
static void note_empty(struct sheet *sheet, const struct grouping *grouping, const struct record *record)
{
	if (sheet_rows(sheet))
		return;
	if (grouping->feature && !run_has_feature(record->runs, grouping->feature))
		sheet_note(sheet, "Calls were not counted by %s: lsmpmon record -f %s, or lsmpmon on -f %s.",
			   grouping->keys[0], grouping->feature, grouping->feature);
	else
		note_nothing(sheet, record);
}

static void note_total(struct sheet *sheet, const struct view *view, const struct record *record,
		       const struct costs *costs)
{
	const struct shown shown = { &view->grouping, view->time, times_of(&costs->times, view->time) };
	struct total total;

	if (!total_read(&total, record))
		total_note(sheet, &total, record, &shown);
}

/* What the times and quantiles in the table are of. */
static void note_times(struct sheet *sheet, const struct view *view, const struct parts *parts)
{
	sheet_note(sheet, "%s", times_text(parts->has_switched, view->time));
	if (parts->inner.is_known)
		sheet_note(sheet, "self is own time without that of hook calls inside.");
	if (!parts->histograms.count && (view->quantiles || parts->has_error))
		sheet_note(sheet, "No distribution was measured: lsmpmon record -f histogram, or "
				  "lsmpmon on -f histogram.");
	else if (view->quantiles)
		sheet_note(sheet, "Quantiles are of %s.", histograms_what(&parts->histograms, view->time));
}

static void note_step(struct sheet *sheet, const struct costs *costs)
{
	double shortest = INFINITY;

	for (size_t i = 0; i < costs->count; i++)
		if (costs->rows[i].timed && costs->rows[i].min < shortest)
			shortest = costs->rows[i].min;
	sheet_note_step(sheet, shortest);
}

static void note_other(struct sheet *sheet, const struct view *view, const struct costs *costs)
{
	struct other other = { .grouping = &view->grouping };
	char *text;

	for (size_t i = 0; i < costs->count; i++)
		other_add(&other, &costs->rows[i]);
	text = other_text(&other);
	if (text)
		sheet_note(sheet, "%s", text);
	free(text);
}

static void fill(struct sheet *sheet, const struct view *view, const struct record *record,
		 const struct costs *costs, const struct parts *parts)
{
	sheet_describe(sheet, record);
	add_columns(sheet, view, parts);
	for (size_t i = 0; i < costs->count; i++)
		add_row(sheet, view, &costs->rows[i], parts, times_of(&costs->times, view->time));
	note_empty(sheet, &view->grouping, record);
	note_other(sheet, view, costs);
	if (sheet_rows(sheet)) {
		note_total(sheet, view, record, costs);
		note_times(sheet, view, parts);
	}
	note_step(sheet, costs);
}

static int finish(struct sheet *sheet, const struct view *view)
{
	if (sheet_sort(sheet, view->sort ?: "sum"))
		return -1;
	if (view->top)
		sheet_top(sheet, view->top);
	return 0;
}

int view_costs(const struct view *view, const char *name, const struct record *record,
	       struct sheet *sheet)
{
	struct parts parts = { .has_error = has_error(view, record) };
	struct scale scale;
	struct costs costs;
	int error = 0;

	if (check_quantiles(view) || scale_for(&scale, record, view->unit) ||
	    costs_read(&costs, record->runs, record->run_count, &view->grouping))
		return -1;
	parts.has_switched = costs.has_switched;
	error = inner_read(&parts.inner, record, &view->grouping);
	if (!error && (view->quantiles || parts.has_error))
		error = histograms_read(&parts.histograms, record->runs, record->run_count, view->time);
	if (!error) {
		sheet_init(sheet, name, &scale);
		fill(sheet, view, record, &costs, &parts);
		error = finish(sheet, view);
		if (error)
			sheet_free(sheet);
	}
	inner_free(&parts.inner);
	histograms_free(&parts.histograms);
	costs_free(&costs);
	return error;
}
