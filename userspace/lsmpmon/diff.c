// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon diff: what changed from one record to others, and with what certainty. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commands.h"
#include "comparison.h"
#include "comparison_sheet.h"
#include "complain.h"
#include "options.h"
#include "unlike.h"

#define STATUS_ABOVE 1
/* More of them are only counted. */
#define ABOVE_MAX 20

enum key { KEY_FAIL_ABOVE = 512, KEY_FAIL_TOTAL, KEY_STAT, KEY_MIN_COUNT, KEY_UNLIKE, KEY_WALL };

struct diff {
	struct options options;
	const char *paths[SIDES_MAX];
	size_t path_count;
	size_t min_count;
	double fail_above;
	double fail_total;
	bool may_be_unlike;
	enum time time;
	enum statistic statistic;
};

static bool is_gate(const struct diff *diff)
{
	return !isinf(diff->fail_above) || !isinf(diff->fail_total);
}

/* In percent, for a row or for the totals. */
static double limit_of(const struct diff *diff, const struct compared *row)
{
	return row->keys[0] ? diff->fail_above : fmin(diff->fail_above, diff->fail_total);
}

/* A change that may be chance does not count. */
static bool is_above(const struct comparison *comparison, const struct change *change, double limit)
{
	return change->is_known && change->percent > limit && (comparison->is_exact || change_is_sure(change));
}

/*
 * The mean of all calls grows if short ones go away, which is right; so of the totals only the time counts. If somebody
 * asks for a statistic, nothing else counts in rows.
 */
static bool is_judged(const struct diff *diff, const struct compared *row, enum quantity quantity)
{
	if (!row->keys[0])
		return quantity == TIME && (!isinf(diff->fail_total) || diff->statistic == MEAN_CALL ||
					    diff->statistic == TOTAL_TIME);
	return diff->statistic == MEAN_CALL || quantity == STATISTIC;
}

static char *percent_text(const struct change *change)
{
	return isinf(change->percent) ? xstrdup("new") : xasprintf("%+.1f %%", change->percent);
}

/* What of a row is above the limit on this side, for the caller to free; NULL if nothing is. */
static char *above_in(const struct diff *diff, const struct comparison *comparison, const struct compared *row,
		      size_t side)
{
	const char *const names[] = {
		[STATISTIC] = statistic_text(diff->statistic), [TIME] = "the time of a run", [CALLS] = "the calls of a run",
	};
	char *all = NULL, *before, *percent;

	for (enum quantity quantity = 0; quantity < QUANTITIES; quantity++) {
		const struct change *change = &row->changes[quantity][side];

		if (!is_judged(diff, row, quantity) || !is_above(comparison, change, limit_of(diff, row)))
			continue;
		percent = percent_text(change);
		before = all;
		all = xasprintf("%s%s%s %s", before ?: "", before ? ", " : "", names[quantity], percent);
		free(before);
		free(percent);
	}
	return all;
}

static void note_above(struct sheet *sheet, const struct comparison *comparison, const struct compared *row,
		       size_t side, const char *what)
{
	const char *first = row->keys[0] ?: ROW_ALL, *second = row->keys[1], *third = second ? row->keys[2] : NULL;
	char *of = comparison->side_count > 2 ? xasprintf(" in %c", (char)('A' + side)) : xstrdup("");

	sheet_note(sheet, "Above the limit: %s%s%s%s%s%s: %s", first, second ? " " : "", second ?: "",
		   third ? " " : "", third ?: "", of, what);
	free(of);
}

static size_t note_all_above(const struct diff *diff, const struct comparison *comparison, struct sheet *sheet)
{
	size_t above = 0;

	for (size_t i = 0; i < comparison->row_count; i++)
		for (size_t side = 1; side < comparison->side_count; side++) {
			const struct compared *row = &comparison->rows[i];
			char *what = above_in(diff, comparison, row, side);

			if (what && ++above <= ABOVE_MAX)
				note_above(sheet, comparison, row, side, what);
			free(what);
		}
	if (above)
		sheet_note(sheet, "%zu row%s above %g %%.", above, above > 1 ? "s are" : " is",
			   fmin(diff->fail_above, diff->fail_total));
	return above;
}

static const char *gate_name(const struct diff *diff)
{
	return isinf(diff->fail_above) ? "--fail-total" : "--fail-above";
}

/* A gate that fails by chance is worse than none. */
static int check_certainty(const struct diff *diff, const struct comparison *comparison)
{
	if (!is_gate(diff) || comparison->by_boot || comparison->is_exact)
		return 0;
	return complain("%s: one boot a side cannot tell a change from chance: give a directory of "
			"records of several boots for each side", gate_name(diff));
}

/* Said before everything else; a gate would judge something else than the kernel. */
static int check_likeness(const struct diff *diff, const struct comparison *comparison)
{
	if (!comparison->unlike)
		return 0;
	complain(UNLIKE, comparison->unlike);
	if (!is_gate(diff) || diff->may_be_unlike)
		return 0;
	return complain("%s: give records of the same command, features, timed and filter, or --unlike if "
			"that is meant", gate_name(diff));
}

static int sort(const struct diff *diff, struct sheet *sheet)
{
	const char *otherwise = diff->path_count == 2 ? "added" : "added B";

	if (sheet_sort(sheet, diff->options.rows.sort ?: otherwise))
		return -1;
	if (diff->options.rows.top)
		sheet_top(sheet, diff->options.rows.top);
	return 0;
}

static int print(const struct diff *diff, const struct comparison *comparison)
{
	int status = EXIT_SUCCESS;
	struct sheet sheet;

	comparison_sheet(comparison, &sheet);
	if (note_all_above(diff, comparison, &sheet))
		status = STATUS_ABOVE;
	if (sort(diff, &sheet))
		status = STATUS_ERROR;
	else
		sheet_print(&sheet, &diff->options.style, stdout);
	sheet_free(&sheet);
	return status;
}

static int run(const struct diff *diff)
{
	struct comparison comparison;
	int status = STATUS_ERROR;

	if (!comparison_load(&comparison, diff->paths, diff->path_count, &diff->options.rows.grouping,
			     diff->options.unit, diff->time, diff->statistic) &&
	    !check_likeness(diff, &comparison) && !check_certainty(diff, &comparison)) {
		comparison_make(&comparison, diff->min_count, !isinf(diff->fail_above) && diff->statistic == MEAN_CALL);
		status = print(diff, &comparison);
	}
	comparison_free(&comparison);
	return status;
}

static void add_path(struct diff *diff, const char *path)
{
	if (diff->path_count == SIDES_MAX)
		option_error("give at most %d records", SIDES_MAX);
	diff->paths[diff->path_count++] = path;
}

/* Default: the last two records. With one record given: compare it with the last. */
static void add_defaults(struct diff *diff)
{
	if (diff->path_count > 1)
		return;
	diff->paths[1] = diff->path_count ? diff->paths[0] : RECORD_DEFAULT;
	diff->paths[0] = diff->path_count ? RECORD_DEFAULT : RECORD_DEFAULT ".old";
	diff->path_count = 2;
}

static void check(const struct diff *diff)
{
	const struct grouping *grouping = &diff->options.rows.grouping;

	if (diff->statistic == MEDIAN_CALL && (grouping->key_count > 1 || strcmp(*grouping->keys, "hook")))
		option_error("--stat p50: the kernel has distributions by hook only; give it without --by");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct diff *diff = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_grouped_printed, &diff->options);
		break;
	case KEY_FAIL_TOTAL:
		diff->fail_total = option_percent("--fail-total", arg);
		break;
	case KEY_STAT:
		if (statistic_parse(&diff->statistic, arg))
			option_error("--stat '%s': give ave, p50, min or total", arg);
		break;
	case KEY_MIN_COUNT:
		diff->min_count = option_number("--min-count", arg, 0, NUMBER_MAX);
		break;
	case KEY_FAIL_ABOVE:
		diff->fail_above = option_percent("--fail-above", arg);
		break;
	case KEY_UNLIKE:
		diff->may_be_unlike = true;
		break;
	case KEY_WALL:
		diff->time = WALL_TIME;
		break;
	case 'i':
	case ARGP_KEY_ARG:
		add_path(diff, arg);
		break;
	case ARGP_KEY_END:
		check(diff);
		add_defaults(diff);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_diff(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "fail-above", KEY_FAIL_ABOVE, "PCT", 0,
		  "Exit with 1 if in any row a mean call, or the time or the calls of a run, became more by over PCT "
		  "percent and that is sure; needs two boots a side, or counted instructions", 0 },
		{ "fail-total", KEY_FAIL_TOTAL, "PCT", 0,
		  "The same for the time of all hook calls of a run only, whatever single rows do", 0 },
		{ "stat", KEY_STAT, "WHAT", 0,
		  "Compare ave, the mean call (default); p50, the median call; min, the shortest; or total, the time of a run. Of "
		  "other than ave, --fail-above judges only that", 0 },
		{ "unlike", KEY_UNLIKE, NULL, 0,
		  "Let --fail-above and --fail-total judge records of different commands, features, timed or filters", 0 },
		{ "min-count", KEY_MIN_COUNT, "N", 0, "Leave out rows with fewer than N calls a run on each side", 0 },
		{ "wall", KEY_WALL, NULL, 0, WALL_HELP, 0 },
		{ "input", 'i', "FILE", 0, "The same as FILE without -i", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_grouped_printed, .args_doc = "[A [B...]]",
		.doc = "Compare A with B and others: each is a record, a directory of records, or a list of "
		"these with commas. Default: " RECORD_DEFAULT ".old and " RECORD_DEFAULT ".",
	};
	struct diff diff = { .fail_above = INFINITY, .fail_total = INFINITY };

	options_init(&diff.options);
	diff.options.rows.sort_default = "added";
	argp_parse(&argp, argc, argv, 0, NULL, &diff);
	return run(&diff);
}
