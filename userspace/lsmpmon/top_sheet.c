// SPDX-License-Identifier: GPL-2.0-only
/* The cost of hooks between two moments. */

#include "top.h"

#include <stdlib.h>
#include <string.h>

#include "other.h"

static bool passes(const struct top *top, const struct cost *cost)
{
	for (size_t i = 0; i < top->options.rows.grouping.key_count; i++)
		if (strstr(cost->keys[i], top->filter))
			return true;
	return false;
}

static void add_columns(struct sheet *sheet, const struct top *top, bool has_switched)
{
	/* In a stream, each line has its time. */
	if (!top->is_screen)
		sheet_column(sheet, "seconds", REAL, 0);
	for (size_t i = 0; i < top->options.rows.grouping.key_count; i++)
		sheet_column(sheet, top->options.rows.grouping.keys[i], TEXT, 0);
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

/* Processors that a row covers: one in the view by CPU, otherwise all that are online. */
static double processors(const struct record *record, const struct top *top)
{
	return strcmp(top->options.rows.grouping.table, "cpus") ? record_cpus(record) : 1;
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

/* @since: what a row gained, with its keys. */
static void add_row(struct sheet *sheet, const struct top *top, const struct cost *since,
		    const struct moment *b, double seconds, double total)
{
	double khz = run_info_number(b->record.runs, "clock_khz");

	if (!cost_calls(since) || !passes(top, since))
		return;
	if (!top->is_screen)
		sheet_number(sheet, b->at);
	for (size_t i = 0; i < top->options.rows.grouping.key_count; i++)
		sheet_text(sheet, since->keys[i]);
	sheet_number(sheet, cost_calls(since) / seconds);
	if (cost_with(since, OWN_TIME))
		sheet_number(sheet, cost_ave(since, OWN_TIME));
	else
		sheet_nothing(sheet);
	add_times(sheet, &since->times, since->has_switched, seconds);
	if (khz)
		sheet_number(sheet, 100 * since->times.own / (khz * 1000) / seconds / processors(&b->record, top));
	else
		sheet_nothing(sheet);
	sheet_number(sheet, total ? 100 * since->times.own / total : 0);
}

static void note_empty(struct sheet *sheet, const struct top *top, const struct record *record)
{
	const char *feature = top->options.rows.grouping.feature;
	char key = top_key(top);

	if (!feature || run_has_feature(record->runs, feature))
		sheet_note(sheet, "No calls by %s.", top->options.rows.by);
	else if (top->is_screen && key)
		sheet_note(sheet, "Calls are not measured by %s: press %c again to switch the feature on. That sets "
				  "all counters to zero.", top->options.rows.by, key);
	else
		sheet_note(sheet, "Calls are not measured by %s: lsmpmon on -f %s", top->options.rows.by, feature);
}

/* Rows have what was measured, so what is said without measuring is not their sum. */
static void note_busy(struct sheet *sheet, const struct top *top, const struct total *total,
		      const struct record *record, double rows)
{
	double share = 100 * total_share(total, record, rows);
	unsigned int cpus = record_cpus(record);

	if (!share || !cpus)
		return;
	if (processors(record, top) == 1 && cpus > 1)
		sheet_note(sheet, "busy: as measured, of the time of each CPU; in all rows %.2g %%.", share);
	else
		sheet_note(sheet, "busy: as measured, of the time of %u CPU%s; in all rows %.2g %%.", cpus,
			   cpus > 1 ? "s" : "", share / cpus);
}

static void note_total(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b,
		       double rows)
{
	struct total total = total_since(&a->total, &b->total, b->at - a->at);
	const struct shown shown = { &top->options.rows.grouping, OWN_TIME, rows };

	total_note(sheet, &total, &b->record, &shown);
	sheet_note(sheet, "%s", times_text(b->costs.has_switched, OWN_TIME));
	note_busy(sheet, top, &total, &b->record, rows);
}

static void note_other(struct sheet *sheet, const struct other *other)
{
	char *text = other_text(other);

	if (text)
		sheet_note(sheet, "%s", text);
	free(text);
}

int top_sheet(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b)
{
	double seconds = b->at - a->at > 0 ? b->at - a->at : 1;
	uint64_t total = moment_times_since(a, b, &top->options.rows.grouping).own;
	struct other other = { .grouping = &top->options.rows.grouping };

	sheet_describe_now(sheet, &b->record);
	add_columns(sheet, top, b->costs.has_switched);
	for (size_t i = 0; i < b->costs.count; i++) {
		struct cost since = moment_row_since(a, b, &top->options.rows.grouping, &b->costs.rows[i]);

		other_add(&other, &since);
		add_row(sheet, top, &since, b, seconds, total);
	}
	if (!sheet_rows(sheet))
		note_empty(sheet, top, &b->record);
	note_other(sheet, &other);
	note_total(sheet, top, a, b, total);
	return sheet_sort(sheet, top->is_by_name ? top->options.rows.grouping.keys[0] :
						   top->options.rows.sort ?: TOP_SORT_DEFAULT);
}
