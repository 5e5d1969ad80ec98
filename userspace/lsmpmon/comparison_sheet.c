// SPDX-License-Identifier: GPL-2.0-only
/* A comparison as a sheet: each side beside the first. */

#include "comparison_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commas.h"
#include "title.h"
#include "unlike.h"

/* A column of one side, such as "ave B". With two sides, the columns of the change have no letter. */
static void side_column(struct sheet *sheet, const char *name, size_t side, enum kind kind, int rank)
{
	char *whole = xasprintf("%s %c", name, (char)('A' + side));

	sheet_column(sheet, whole, kind, rank);
	free(whole);
}

static void change_column(struct sheet *sheet, const struct comparison *comparison, const char *name,
			  size_t side, enum kind kind, int rank)
{
	if (comparison->side_count == 2)
		sheet_column(sheet, name, kind, rank);
	else
		side_column(sheet, name, side, kind, rank);
}

static const char *other_time(const struct comparison *comparison)
{
	return comparison->time == WALL_TIME ? "own" : "wall";
}

static void spare_column(struct sheet *sheet, const char *name, size_t side)
{
	char *whole = xasprintf("%s %c", name, (char)('A' + side));

	sheet_spare_column(sheet, whole, TICKS, 9);
	free(whole);
}

/* What else of the wall time there was. */
static void add_columns_of_states(struct sheet *sheet, const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->side_count; i++)
		side_column(sheet, other_time(comparison), i, TICKS, 9);
	for (size_t i = 0; i < comparison->side_count; i++)
		spare_column(sheet, "slept", i);
	for (size_t i = 0; i < comparison->side_count; i++)
		spare_column(sheet, "preempted", i);
}

static void add_columns(struct sheet *sheet, const struct comparison *comparison)
{
	size_t sides = comparison->side_count;

	for (size_t i = 0; i < comparison->grouping.key_count; i++)
		sheet_column(sheet, comparison->grouping.keys[i], TEXT, 0);
	for (size_t i = 0; i < sides; i++)
		side_column(sheet, "count", i, COUNT, 5);
	for (size_t i = 0; i < sides; i++)
		side_column(sheet, statistic_name(comparison->statistic), i, TICKS, 1);
	for (size_t i = 1; i < sides; i++) {
		change_column(sheet, comparison, "change", i, CHANGE, 0);
		change_column(sheet, comparison, "+-", i, PERCENT, 3);
		change_column(sheet, comparison, "p", i, CHANCE, 4);
		change_column(sheet, comparison, "sure", i, TEXT, 0);
	}
	for (size_t i = 0; i < sides; i++)
		side_column(sheet, "sum", i, TICKS, 6);
	if (comparison_has_switched(comparison))
		add_columns_of_states(sheet, comparison);
	for (size_t i = 1; i < sides; i++)
		change_column(sheet, comparison, "added", i, TICKS, 2);
	for (size_t i = 1; i < sides; i++) {
		change_column(sheet, comparison, "time", i, CHANGE, 7);
		change_column(sheet, comparison, "calls", i, CHANGE, 8);
	}
}

static void optional(struct sheet *sheet, bool is_set, double number)
{
	if (is_set)
		sheet_number(sheet, number);
	else
		sheet_nothing(sheet);
}

/* What was not there before has no change in percent. */
static void add_percent(struct sheet *sheet, const struct change *change)
{
	optional(sheet, change->is_known && isfinite(change->percent), change->percent);
}

static void add_change(struct sheet *sheet, const struct change *change)
{
	add_percent(sheet, change);
	optional(sheet, change->has_half && isfinite(change->half), change->half);
	optional(sheet, change->has_chance, change->chance);
	if (!change->has_chance)
		sheet_nothing(sheet);
	else
		sheet_text(sheet, change_is_sure(change) ? "yes" : "no");
}

/* Of a run, in the unit. */
static double run_time(const struct comparison *comparison, size_t side, uint64_t ticks)
{
	const struct side *one = &comparison->sides[side];

	return side_per_run(one, ticks) * one->scale.per_tick;
}

static double sum_of(const struct comparison *comparison, const struct compared *row, size_t side)
{
	return run_time(comparison, side, times_of(&row->costs[side].times, comparison->time));
}

static void add_states(struct sheet *sheet, const struct comparison *comparison, const struct compared *row)
{
	const enum time other = comparison->time == WALL_TIME ? OWN_TIME : WALL_TIME;
	const size_t sides = comparison->side_count;

	for (size_t i = 0; i < sides; i++)
		optional(sheet, row->is_there[i], run_time(comparison, i, times_of(&row->costs[i].times, other)));
	for (size_t i = 0; i < sides; i++)
		optional(sheet, row->is_there[i], run_time(comparison, i, row->costs[i].times.slept));
	for (size_t i = 0; i < sides; i++)
		optional(sheet, row->is_there[i], run_time(comparison, i, row->costs[i].times.preempted));
}

static void add_row(struct sheet *sheet, const struct comparison *comparison,
		    const struct compared *row)
{
	size_t sides = comparison->side_count;

	for (size_t i = 0; i < comparison->grouping.key_count; i++)
		sheet_text(sheet, row->keys[0] ? row->keys[i] : i ? "" : ROW_ALL);
	for (size_t i = 0; i < sides; i++)
		optional(sheet, row->is_there[i],
			 side_per_run(&comparison->sides[i], row->costs[i].count));
	for (size_t i = 0; i < sides; i++)
		optional(sheet, row->samples[i].count, row->samples[i].mean);
	for (size_t i = 1; i < sides; i++)
		add_change(sheet, &row->changes[STATISTIC][i]);
	for (size_t i = 0; i < sides; i++)
		optional(sheet, row->is_there[i], sum_of(comparison, row, i));
	if (comparison_has_switched(comparison))
		add_states(sheet, comparison, row);
	for (size_t i = 1; i < sides; i++)
		sheet_number(sheet, sum_of(comparison, row, i) - sum_of(comparison, row, 0));
	for (size_t i = 1; i < sides; i++) {
		add_percent(sheet, &row->changes[TIME][i]);
		add_percent(sheet, &row->changes[CALLS][i]);
	}
}

/* What sides have in common is said once, and what differs for each of them. */
typedef char *aspect_of(const struct record *record);

static aspect_of *const settings[] = { title_kernel, title_modules, title_settings };

#define SETTINGS (sizeof(settings) / sizeof(*settings))

static bool is_common(const struct comparison *comparison, aspect_of *aspect)
{
	char *first = aspect(&comparison->sides[0].record), *other;
	bool same = true;

	for (size_t i = 1; same && i < comparison->side_count; i++) {
		other = aspect(&comparison->sides[i].record);
		same = !strcmp(first, other);
		free(other);
	}
	free(first);
	return same;
}

/* An aspect of a side if it is common, or if it is not. */
static char *aspect_text(const struct comparison *comparison, const struct side *side, aspect_of *aspect, bool common)
{
	return is_common(comparison, aspect) == common ? aspect(&side->record) : xstrdup("");
}

static char *settings_text(const struct comparison *comparison, const struct side *side, bool common)
{
	char *parts[SETTINGS];

	for (size_t i = 0; i < SETTINGS; i++)
		parts[i] = aspect_text(comparison, side, settings[i], common);
	return title_line(parts, SETTINGS);
}

static char *side_text(const struct comparison *comparison, size_t index)
{
	const struct side *side = &comparison->sides[index];
	size_t runs = side->record.run_count;
	char *const parts[] = {
		xasprintf("%c: %s", (char)('A' + index), side->record.name),
		xasprintf("%zu run%s of %zu boot%s", runs, runs > 1 ? "s" : "", side->boots, side->boots > 1 ? "s" : ""),
		title_date(&side->record), aspect_text(comparison, side, title_command, false),
		settings_text(comparison, side, false),
	};

	return title_line(parts, sizeof(parts) / sizeof(*parts));
}

/* Frees @line. */
static char *with_line(char *title, char *line)
{
	char *longer = xasprintf("%s%s%s", title, *title && *line ? "\n" : "", line);

	free(title);
	free(line);
	return longer;
}

static char *make_title(const struct comparison *comparison)
{
	char *title = aspect_text(comparison, comparison->sides, title_command, true);

	title = with_line(title, settings_text(comparison, comparison->sides, true));
	for (size_t i = 0; i < comparison->side_count; i++)
		title = with_line(title, side_text(comparison, i));
	return with_line(title, xasprintf("Times in %s; counts and sums are of one run.", comparison->sides[0].scale.name));
}

static void describe(struct sheet *sheet, const struct comparison *comparison)
{
	struct json_object *all = json_object_new_object();

	for (size_t i = 0; i < comparison->side_count; i++) {
		const char name[] = { 'a' + i, '\0' };

		sheet_describe(sheet, &comparison->sides[i].record);
		json_object_object_add(all, name, sheet->source);
		sheet->source = NULL;
		free(sheet->title);
	}
	sheet->source = all;
	sheet->title = make_title(comparison);
}

static void note_fact(struct sheet *sheet, const struct comparison *comparison, size_t side,
		      const char *fact)
{
	const char *a = record_fact(&comparison->sides[0].record, fact);
	const char *b = record_fact(&comparison->sides[side].record, fact);

	if (strcmp(a ?: "", b ?: ""))
		sheet_note(sheet, "A and %c are of different %ss: %s and %s.", (char)('A' + side), fact,
			   a ?: "unknown", b ?: "unknown");
}

/* In a run, which the table may have no room for; nothing if no call waited. */
static void note_waiting(struct sheet *sheet, const struct comparison *comparison)
{
	char *all = xstrdup(""), *before, *time;
	bool any = false;

	for (size_t i = 0; i < comparison->side_count; i++) {
		uint64_t ticks = times_off_cpu(&comparison->rows->costs[i].times);

		any |= ticks > 0;
		before = all;
		time = with_commas(xasprintf("%.*f", sheet->scale.decimals, run_time(comparison, i, ticks)));
		all = xasprintf("%s%s%s %s in %c", before, i ? ", " : "", time, sheet->scale.name, (char)('A' + i));
		free(before);
		free(time);
	}
	if (any)
		sheet_note(sheet, "Hooks made tasks wait in a run: %s.", all);
	free(all);
}

static void note_times(struct sheet *sheet, const struct comparison *comparison)
{
	if (comparison->is_mixed)
		sheet_note(sheet, "The lsmpmon of %c is older: compared are the calls without a context switch inside, "
			   "from begin to end.", (char)('A' + comparison->older));
	else
		sheet_note(sheet, "%s", times_text(comparison_has_switched(comparison), comparison->time));
	note_waiting(sheet, comparison);
	sheet_note(sheet, "\"added\" is what all calls of a run took more than in A. \"+-\" is half of the 95 %% confidence "
			  "interval of \"change\", that of %s.", statistic_text(comparison->statistic));
}

static void add_notes(struct sheet *sheet, const struct comparison *comparison)
{
	static const char *const facts[] = { "kernel", "processor", "runner", "accelerator" };

	for (size_t side = 1; side < comparison->side_count; side++)
		for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
			note_fact(sheet, comparison, side, facts[i]);
	note_times(sheet, comparison);
	if (!comparison->by_boot)
		sheet_note(sheet, "One boot a side: another boot of the same kernel may differ as much, so no "
		"change is called sure. \"+-\" covers only the runs in these boots. Record the "
		"same work in several boots and give a directory of records for each side.");
	else
		sheet_note(sheet, "Each boot is one sample. \"sure\" is at 5 %% for all rows together (Holm), and for "
				  ROW_ALL " and \"+-\" by itself.");
}

/* The numbers are already in the unit, since the sides' clocks may differ. */
void comparison_sheet(const struct comparison *comparison, struct sheet *sheet)
{
	const struct scale *scale = &comparison->sides[0].scale;

	sheet_init(sheet, "diff", &(struct scale){ scale->name, 1, scale->decimals, 0 });
	if (comparison->unlike)
		sheet_note(sheet, UNLIKE, comparison->unlike);
	describe(sheet, comparison);
	add_columns(sheet, comparison);
	add_row(sheet, comparison, comparison->rows);
	sheet_total(sheet);
	for (size_t i = 1; i < comparison->row_count; i++)
		add_row(sheet, comparison, &comparison->rows[i]);
	add_notes(sheet, comparison);
}
