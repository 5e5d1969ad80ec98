// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon top: what hooks cost right now, refreshed. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "commands.h"
#include "complain.h"
#include "feature.h"
#include "keep.h"
#include "measuring.h"
#include "monitor.h"
#include "seconds.h"
#include "terminal.h"
#include "top.h"

#define SECONDS_DEFAULT 2
/* On a screen nobody waits for long at first. */
#define FIRST_SECONDS 0.5

static int fill(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b)
{
	return top_path_is_histogram(top) ? top_histogram(sheet, top, a, b) : top_sheet(sheet, top, a, b);
}

/* A stream has its title once, and in CSV its header. */
static void print(const struct top *top, struct sheet *sheet)
{
	struct style style = top->options.style;

	style.continues = top->shown;
	if (top->shown && style.format == FORMAT_TEXT)
		putchar('\n');
	sheet_print(sheet, &style, stdout);
	fflush(stdout);
}

static int show(struct top *top, const struct moment *a, const struct moment *b)
{
	size_t rows = top->options.rows.top, height;
	struct scale scale;
	struct sheet sheet;
	int error;

	if (top->is_screen)
		terminal_size(&height, &top->options.style.width);
	if (scale_for(&scale, &b->record, top->options.unit))
		return -1;
	sheet_init(&sheet, "top", &scale);
	error = fill(&sheet, top, a, b);
	if (!error) {
		if (rows)
			sheet_top(&sheet, rows);
		if (top->is_screen)
			top_show(top, &sheet);
		else
			print(top, &sheet);
	}
	sheet_free(&sheet);
	return error;
}

int top_take(struct moment *moment, const struct top *top)
{
	return moment_take(moment, options_dir(&top->options), &top->options.rows.grouping);
}

/* A key may have asked for other rows of what was read. */
static int regroup(struct moment *moment, const struct top *top)
{
	costs_free(&moment->costs);
	return costs_read(&moment->costs, moment->record.runs, 1, &top->options.rows.grouping);
}

static int regroup_all(struct top *top, struct moment *a, struct moment *b)
{
	struct own_calls *own = &top->own;

	return regroup(a, top) || regroup(b, top) ||
	       (own->is_known && (regroup(&own->before, top) || regroup(&own->after, top)));
}

static bool is_over(double until)
{
	return seconds_now() >= until || child_was_interrupted();
}

/* What keys ask for is shown at once, until the next table is due. Returns whether to go on, or -1 after a complaint. */
static int wait_on_screen(struct top *top, struct moment *a, struct moment *b, double until)
{
	while (!is_over(until) && !top->is_stale) {
		int key = terminal_key((until - seconds_now()) * 1000 + 1);

		if (!key && !terminal_was_resized())
			continue;
		if (key && !top_press(top, key, b->record.runs))
			return false;
		if (regroup_all(top, a, b) || show(top, a, b))
			return -1;
	}
	return !child_was_interrupted();
}

static bool wait_in_stream(double until)
{
	while (!is_over(until)) {
		double left = until - seconds_now();
		struct timespec time = { .tv_sec = left > 0 ? left : 0 };

		time.tv_nsec = left > 0 ? (left - time.tv_sec) * 1e9 : 0;
		nanosleep(&time, NULL);
	}
	return !child_was_interrupted();
}

/* Returns whether to go on, or -1 after a complaint. */
static int wait(struct top *top, struct moment *a, struct moment *b)
{
	const bool is_first = !top->shown;
	double seconds = top->is_screen && is_first && top->seconds > FIRST_SECONDS ? FIRST_SECONDS : top->seconds;

	if (top->is_screen && !is_first)
		return wait_on_screen(top, a, b, b->at + seconds);
	return wait_in_stream(b->at + seconds);
}

/* The next table is of what happens from the end of this one on. What was read before a feature was on has nothing of it. */
static int go_on(struct top *top, struct moment *a, struct moment *b)
{
	moment_forget(a);
	*a = *b;
	*b = (struct moment){ 0 };
	if (top->is_stale) {
		moment_forget(a);
		top->is_stale = false;
		if (top_take(a, top))
			return -1;
	}
	if (top_take(b, top) || show(top, a, b))
		return -1;
	top->shown++;
	return 0;
}

static bool has_time(const struct top *top, const struct moment *last)
{
	return (!top->count || top->shown < top->count) && (!top->time || last->at < top->began + top->time);
}

static int watch(struct top *top)
{
	struct moment a = { 0 }, b = { 0 };
	int error = top_take(&b, top);

	top->began = b.at;
	while (!error && has_time(top, &b)) {
		int goes_on = wait(top, &a, &b);

		if (goes_on <= 0) {
			error = goes_on;
			break;
		}
		error = go_on(top, &a, &b);
	}
	moment_forget(&a);
	moment_forget(&b);
	return error;
}

/* Set the filter if --pid or --all asks for it; otherwise leave it as it is. */
static int set_up(const struct top *top, const struct keep *keep)
{
	if ((top->pid || top->is_all) && keep_check_process(keep))
		return -1;
	if (top->pid && measure_process(keep->dir, top->pid))
		return -1;
	if (top->is_all && (monitor_write(keep->dir, "filter", "s") || monitor_write(keep->dir, "filter", "o")))
		return -1;
	if (top->features && features_set(keep->dir, top->features, NULL))
		return -1;
	return monitor_write(keep->dir, "control", "1");
}

static int run(struct top *top)
{
	struct keep keep;
	int error;

	if (keep_begin(&keep, options_dir(&top->options)))
		return -1;
	child_take_signals();
	error = set_up(top, &keep);
	if (top->is_screen)
		terminal_begin();
	if (!error && !(error = top_own_measure(top, &keep)))
		error = watch(top);
	if (top->is_screen)
		terminal_end();
	top_path_leave(top);
	top_own_forget(&top->own);
	return keep_end(&keep) | error;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct top *top = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_grouped_output, &top->options);
		break;
	case 's':
		top->seconds = option_seconds("--seconds", arg);
		break;
	case 'n':
		top->count = option_number("--number", arg, 1, NUMBER_MAX);
		break;
	case 't':
		top->time = option_seconds("--time", arg);
		break;
	case 'p':
		top->pid = option_number("--pid", arg, 1, PID_MAX);
		break;
	case 'a':
		top->is_all = true;
		break;
	case 'f':
		top->features = arg;
		break;
	case 'b':
		top->is_batch = true;
		break;
	case ARGP_KEY_END:
		if (top->pid && top->is_all)
			option_error("--pid and --all: give one of them");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_top(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "seconds", 's', "N", 0, "Time from one table to the next, such as 2 (default) or 0.5", 0 },
		{ "number", 'n', "N", 0, "End after N tables", 0 },
		{ "time", 't', "SECONDS", 0, "End after SECONDS", 0 },
		{ "pid", 'p', "PID", 0, "Only a running process, and all that it will start", 0 },
		{ "all", 'a', NULL, 0, "Every task of the system, whatever the filter says", 0 },
		{ "features", 'f', "LIST", 0,
		  "What to measure besides hooks, which sets all counters to zero: " FEATURES_HELP "; +NAME adds to what is on", 0 },
		{ "batch", 'b', NULL, 0, "Plain lines for a log, also on a terminal", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_grouped_output,
		.doc = "Show what hooks cost right now, without our own calls. Switches the monitor on while it runs, and "
		       "resets nothing.",
	};
	struct top top = { .seconds = SECONDS_DEFAULT };

	options_init(&top.options);
	top.options.rows.sort_default = TOP_SORT_DEFAULT;
	argp_parse(&argp, argc, argv, 0, NULL, &top);
	top.options.style.one_line = true;
	top.is_screen = !top.is_batch && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
			top.options.style.format == FORMAT_TEXT;
	return run(&top) ? STATUS_ERROR : EXIT_SUCCESS;
}
