// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon diff: what changed from one record to others, and with what certainty. */

#include <math.h>
#include <stdlib.h>

#include "commands.h"
#include "comparison.h"
#include "comparison_sheet.h"
#include "complain.h"
#include "options.h"

#define STATUS_ABOVE 1

enum key { KEY_BY = 512, KEY_SORT, KEY_TOP, KEY_FAIL_ABOVE, KEY_MIN_COUNT };

struct diff {
	struct options options;
	const char *paths[SIDES_MAX];
	size_t path_count;
	const char *by;
	const char *sort;
	size_t top;
	size_t min_count;
	double fail_above;
};

/* A change that may be chance does not count. */
static size_t count_above(const struct diff *diff, const struct comparison *comparison)
{
	size_t above = 0;

	for (size_t i = 0; i < comparison->row_count; i++)
		for (size_t side = 1; side < comparison->side_count; side++) {
			const struct change *change = &comparison->rows[i].changes[side];

			above += change->is_known && change->percent > diff->fail_above &&
				 (comparison->is_exact || change_is_sure(change));
		}
	return above;
}

/* A gate that fails by chance is worse than none. */
static int check_certainty(const struct diff *diff, const struct comparison *comparison)
{
	if (isinf(diff->fail_above) || comparison->by_boot || comparison->is_exact)
		return 0;
	return complain("--fail-above: one boot a side cannot tell a change from chance: give a directory of "
			"records of several boots for each side");
}

static int sort(const struct diff *diff, struct sheet *sheet)
{
	const char *otherwise = diff->path_count == 2 ? "more" : "more B";

	if (sheet_sort(sheet, diff->sort ?: otherwise))
		return -1;
	if (diff->top)
		sheet_top(sheet, diff->top);
	return 0;
}

static int print(const struct diff *diff, const struct comparison *comparison)
{
	size_t above = count_above(diff, comparison);
	int status = above ? STATUS_ABOVE : EXIT_SUCCESS;
	struct sheet sheet;

	comparison_sheet(comparison, &sheet);
	if (above)
		sheet_note(&sheet, "%zu change%s above %g %%.", above, above > 1 ? "s are" : " is",
			   diff->fail_above);
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

	if (!comparison_load(&comparison, diff->paths, diff->path_count, diff->by, diff->options.unit) &&
	    !check_certainty(diff, &comparison)) {
		comparison_make(&comparison, diff->min_count);
		status = print(diff, &comparison);
	}
	comparison_free(&comparison);
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

static void add_path(struct argp_state *state, struct diff *diff, const char *path)
{
	if (diff->path_count == SIDES_MAX)
		argp_error(state, "give at most %d records", SIDES_MAX);
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
		diff->top = option_number(state, "--top", arg, 1, NUMBER_MAX);
		break;
	case KEY_MIN_COUNT:
		diff->min_count = option_number(state, "--min-count", arg, 0, NUMBER_MAX);
		break;
	case KEY_FAIL_ABOVE:
		diff->fail_above = percent(state, arg);
		break;
	case 'i':
	case ARGP_KEY_ARG:
		add_path(state, diff, arg);
		break;
	case ARGP_KEY_END:
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
		{ "by", KEY_BY, "WHAT", 0, GROUPINGS_HELP, 0 },
		{ "sort", KEY_SORT, "COLUMN", 0, "By any column (default: more, the time added)", 0 },
		{ "top", KEY_TOP, "N", 0, "Only the first N rows", 0 },
		{ "fail-above", KEY_FAIL_ABOVE, "PCT", 0,
		  "Exit with 1 if in any row the mean call became slower by more than PCT percent and that is "
		  "sure; needs two boots a side, or counted instructions", 0 },
		{ "min-count", KEY_MIN_COUNT, "N", 0, "Leave out rows with fewer than N calls a run", 0 },
		{ "input", 'i', "FILE", 0, "The same as FILE without -i", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_printed, .args_doc = "[A [B...]]",
		.doc = "Compare A with B and others: each is a record, a directory of records, or a list of "
		"these with commas. Default: " RECORD_DEFAULT ".old and " RECORD_DEFAULT ".",
	};
	struct diff diff = { .by = "hook", .fail_above = INFINITY };

	options_init(&diff.options);
	argp_parse(&argp, argc, argv, 0, NULL, &diff);
	return run(&diff);
}
