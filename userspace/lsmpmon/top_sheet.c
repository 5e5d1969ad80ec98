// SPDX-License-Identifier: GPL-2.0-only
/* The cost of hooks between two moments. */

#include "top.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "histogram_sheet.h"
#include "other.h"

static bool passes(const struct top *top, const struct cost *cost)
{
	for (size_t i = 0; i < top->options.rows.grouping.key_count; i++)
		if (strstr(cost->keys[i], top->filter))
			return true;
	return false;
}

/* Whether a row has all that is fixed on the way down. */
static bool is_below(const struct top *top, const struct cost *cost)
{
	const struct grouping *grouping = &top->options.rows.grouping;

	for (size_t i = 0; i < grouping->key_count; i++) {
		const char *value = top_path_value(top, grouping->keys[i]);

		if (value && strcmp(cost->keys[i], value))
			return false;
	}
	return true;
}

/* What all rows have in common has no column. */
static void add_columns(struct sheet *sheet, const struct top *top, bool has_switched)
{
	const struct grouping *grouping = &top->options.rows.grouping;

	/* In a stream, each line has its time. */
	if (!top->is_screen)
		sheet_column(sheet, "seconds", REAL, 0);
	for (size_t i = 0; i < grouping->key_count; i++)
		if (!top_path_value(top, grouping->keys[i]))
			sheet_column(sheet, grouping->keys[i], TEXT, 0);
	sheet_column(sheet, "calls/s", REAL, 0);
	sheet_column(sheet, "ave", TICKS, 1);
	sheet_column(sheet, "time/s", TICKS, 0);
	if (has_switched) {
		sheet_column(sheet, "wall/s", TICKS, 4);
		sheet_spare_column(sheet, "slept/s", TICKS, 3);
		sheet_spare_column(sheet, "preempted/s", TICKS, 3);
	}
	sheet_column(sheet, "busy", PERCENT, 0);
	sheet_column(sheet, "share", PERCENT, 2);
}

/* In a second. */
static void add_times(struct sheet *sheet, const struct times *times, bool has_switched, double seconds)
{
	sheet_number(sheet, times->own / seconds);
	if (!has_switched)
		return;
	sheet_number(sheet, times->wall / seconds);
	sheet_number(sheet, times->slept / seconds);
	sheet_number(sheet, times->preempted / seconds);
}

static void add_keys(struct sheet *sheet, const struct top *top, const struct cost *since, const struct moment *b)
{
	const struct grouping *grouping = &top->options.rows.grouping;

	if (!top->is_screen)
		sheet_number(sheet, b->at - top->began);
	for (size_t i = 0; i < grouping->key_count; i++)
		if (!top_path_value(top, grouping->keys[i]))
			sheet_text(sheet, since->keys[i]);
}

/* @since: what a row gained, with its keys. */
static void add_row(struct sheet *sheet, const struct top *top, const struct cost *since,
		    const struct moment *b, double seconds, double total)
{
	double khz = run_info_number(b->record.runs, "clock_khz");

	if (!cost_calls(since) || !passes(top, since))
		return;
	add_keys(sheet, top, since, b);
	sheet_number(sheet, cost_calls(since) / seconds);
	if (cost_with(since, OWN_TIME))
		sheet_number(sheet, cost_ave(since, OWN_TIME));
	else
		sheet_nothing(sheet);
	add_times(sheet, &since->times, since->has_switched, seconds);
	if (khz)
		sheet_number(sheet, 100 * since->times.own / (khz * 1000) / seconds);
	else
		sheet_nothing(sheet);
	sheet_number(sheet, total ? 100 * since->times.own / total : 0);
}

static void note_empty(struct sheet *sheet, const struct top *top, const struct record *record)
{
	const char *feature = top->options.rows.grouping.feature, *by = top->options.rows.grouping.keys[0];
	char key = top_key(top);

	if (!feature || run_has_feature(record->runs, feature))
		sheet_note(sheet, "No calls by %s.", top->path.depth ? by : top->options.rows.by);
	else if (top->is_screen && key)
		sheet_note(sheet, "Calls are not measured by %s: press %c again to switch the feature on. That sets "
				  "all counters to zero.", top->options.rows.by, key);
	else if (top->is_screen)
		sheet_note(sheet, "Calls are not measured by %s: Enter switches the feature %s on, which sets all counters "
				  "to zero; Right goes on without.", by, feature);
	else
		sheet_note(sheet, "Calls are not measured by %s: lsmpmon top -f +%s", top->options.rows.by, feature);
}

/* Rows have what was measured, so what is said without measuring is not their sum. */
static void note_busy(struct sheet *sheet, const struct total *total, const struct record *record, double rows)
{
	double share = 100 * total_share(total, record, rows);

	if (share)
		sheet_note(sheet, "busy: time/s, as measured, in percent of the time of one CPU; in all rows %.2g %%.", share);
}

static void note_own(struct sheet *sheet, const struct top *top)
{
	uint64_t calls = top_own_calls(top);

	if (calls)
		sheet_note(sheet, "Left out: the %ju hook calls that lsmpmon makes for each table.", (uintmax_t)calls);
}

/* A screen has no room for what is always the same: that is in its help. Later tables of a stream need not say it again. */
static void note_total(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b,
		       double rows)
{
	struct total since = total_since(&a->total, &b->total, b->at - a->at), total = top_own_leave_out_all(top, &since, rows);
	const struct shown shown = { &top->options.rows.grouping, OWN_TIME, rows };
	char *text;

	if (top->is_screen || (top->shown && top->options.style.format == FORMAT_TEXT)) {
		text = total_text(&total, &b->record);
		if (text)
			sheet_note(sheet, "%s", text);
		free(text);
		return;
	}
	total_note(sheet, &total, &b->record, &shown);
	sheet_note(sheet, "%s", times_text(b->costs.has_switched, OWN_TIME));
	note_busy(sheet, &total, &b->record, rows);
	note_own(sheet, top);
}

static void note_other(struct sheet *sheet, const struct other *other)
{
	char *text = other_text(other);

	if (text)
		sheet_note(sheet, "%s", text);
	free(text);
}

/* Below the title, where one is; and what the kernel does not know about that. */
static void describe(struct sheet *sheet, const struct top *top, const struct record *record)
{
	char *path = top_path_text(top), *missing = top_path_missing(top), *before;

	sheet_describe_now(sheet, record);
	if (path) {
		before = sheet->title;
		sheet->title = xasprintf("%s\n%s", before, path);
		free(before);
	}
	if (missing)
		sheet_note(sheet, "Not only of %s: the kernel does not count that.", missing);
	free(path);
	free(missing);
}

static struct cost row_since(const struct top *top, const struct moment *a, const struct moment *b, size_t row)
{
	struct cost since = moment_row_since(a, b, &top->options.rows.grouping, &b->costs.rows[row]);

	return top_own_leave_out(top, &since);
}

/* Ticks of the rows that are below the way down. */
static uint64_t ticks_below(const struct top *top, const struct moment *a, const struct moment *b)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < b->costs.count; i++)
		if (is_below(top, &b->costs.rows[i]))
			ticks += row_since(top, a, b, i).times.own;
	return ticks;
}

static int sort(struct sheet *sheet, const struct top *top)
{
	size_t name = top->is_screen ? 0 : 1;

	return sheet_sort(sheet, top->is_by_name ? sheet->columns[name].name : top->options.rows.sort ?: TOP_SORT_DEFAULT);
}

int top_sheet(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b)
{
	double seconds = b->at - a->at > 0 ? b->at - a->at : 1;
	uint64_t total = ticks_below(top, a, b);
	struct other other = { .grouping = &top->options.rows.grouping };

	describe(sheet, top, &b->record);
	add_columns(sheet, top, b->costs.has_switched);
	for (size_t i = 0; i < b->costs.count; i++) {
		struct cost since = row_since(top, a, b, i);

		if (!is_below(top, &since))
			continue;
		other_add(&other, &since);
		add_row(sheet, top, &since, b, seconds, total);
	}
	if (!sheet_rows(sheet))
		note_empty(sheet, top, &b->record);
	note_other(sheet, &other);
	note_total(sheet, top, a, b, total);
	return sort(sheet, top);
}

static int read_histograms(struct histograms *all, const struct moment *moment)
{
	return histograms_read(all, moment->record.runs, 1, OWN_TIME);
}

static void add_distribution(struct sheet *sheet, const struct top *top, const struct record *record,
			     const struct histogram *since)
{
	if (since->count) {
		histogram_sheet(sheet, since, false, &top->options.style);
		sheet_note(sheet, "This is the distribution of own time of the calls in this table.");
		return;
	}
	sheet_column(sheet, "from", TICKS, 0);
	if (run_has_feature(record->runs, "histogram"))
		sheet_note(sheet, "No calls.");
	else
		sheet_note(sheet, "No distribution is measured: Enter switches the feature histogram on, which sets all "
				  "counters to zero.");
}

int top_histogram(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b)
{
	const struct histogram *histogram, none = { 0 };
	struct histogram since = none;
	struct histograms before, after;

	if (read_histograms(&before, a))
		return -1;
	if (read_histograms(&after, b)) {
		histograms_free(&before);
		return -1;
	}
	describe(sheet, top, &b->record);
	histogram = histograms_find(&after, top_path_value(top, "hook"));
	if (histogram)
		since = histogram_since(histograms_find(&before, histogram->hook), histogram);
	add_distribution(sheet, top, &b->record, &since);
	free(since.buckets);
	histograms_free(&before);
	histograms_free(&after);
	return 0;
}
