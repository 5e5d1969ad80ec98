// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon hist: the durations of a hook's calls as a bar chart. */

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "complain.h"
#include "histogram_sheet.h"
#include "hook_view.h"
#include "options.h"

enum key { KEY_LINEAR = 512, KEY_LOG, KEY_WALL };

struct hist {
	struct options options;
	const char *hook;
	bool linear;
	enum time time;
};

/* @what: what the histogram is of. */
static void print(const struct hist *hist, const struct record *record, const struct scale *scale,
		  const struct histogram *histogram, const char *what)
{
	struct sheet sheet;

	sheet_init(&sheet, "hist", scale);
	sheet_describe(&sheet, record);
	hook_title(&sheet, hist->hook);
	histogram_sheet(&sheet, histogram, hist->linear, &hist->options.style);
	sheet_note(&sheet, "This is the distribution of %s.", what);
	sheet_note_step(&sheet, histogram->buckets[0].le);
	sheet_print(&sheet, &hist->options.style, stdout);
	sheet_free(&sheet);
}

/* An unknown hook is an error; a hook without calls is a valid answer. */
static int nothing(const struct hist *hist, const struct record *record, bool any)
{
	if (hook_number(record, hist->hook) < 0)
		return -1;
	if (!any)
		return complain("no distribution was measured: lsmpmon on -f histogram, or "
				"lsmpmon record -f histogram");
	return complain("no call of '%s' was counted", hist->hook);
}

static int show(const struct hist *hist, const struct record *record)
{
	const struct histogram *histogram;
	struct histograms all;
	struct scale scale;
	int error = 0;

	if (scale_for(&scale, record, hist->options.unit) ||
	    histograms_read(&all, record->runs, record->run_count, hist->time))
		return -1;
	histogram = histograms_find(&all, hist->hook);
	if (histogram && histogram->count)
		print(hist, record, &scale, histogram, histograms_what(&all, hist->time));
	else
		error = nothing(hist, record, all.count);
	histograms_free(&all);
	return error;
}

/* No hook is called like a file usually is. */
static void check(const struct hist *hist)
{
	if (!hist->hook)
		option_error("give a HOOK, such as inode_permission");
	if (!hist->options.input && strpbrk(hist->hook, "./"))
		option_error("'%s' is a file: give a HOOK before it, as in: hist inode_permission %s", hist->hook,
			     hist->hook);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct hist *hist = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_input, &hist->options);
		break;
	case KEY_LINEAR:
		hist->linear = true;
		break;
	case KEY_LOG:
		hist->linear = false;
		break;
	case KEY_WALL:
		hist->time = WALL_TIME;
		break;
	case ARGP_KEY_ARG:
		if (hist->hook)
			return option_record(&hist->options, arg);
		hist->hook = arg;
		break;
	case ARGP_KEY_END:
		check(hist);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_hist(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "log", KEY_LOG, NULL, 0, "Each row is wider than the one before it (default)", 0 },
		{ "linear", KEY_LINEAR, NULL, 0, "All rows are equally wide, except the last", 0 },
		{ "wall", KEY_WALL, NULL, 0, WALL_HELP, 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_input, .args_doc = "HOOK [FILE]",
		.doc = "Show the durations of a hook's calls as a bar chart.",
	};
	struct hist hist = { .hook = NULL };
	struct record record;
	int error;

	options_init(&hist.options);
	argp_parse(&argp, argc, argv, 0, NULL, &hist);
	if (options_record(&hist.options, &record))
		return STATUS_ERROR;
	error = show(&hist, &record);
	record_free(&record);
	return error ? STATUS_ERROR : EXIT_SUCCESS;
}
