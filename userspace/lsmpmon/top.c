// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon top: what hooks cost right now, refreshed. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "commands.h"
#include "complain.h"
#include "keep.h"
#include "measuring.h"
#include "monitor.h"
#include "seconds.h"
#include "terminal.h"
#include "top.h"

#define SECONDS_DEFAULT 2
/* Lines of the screen below the table: an empty one, and the keys. */
#define KEY_LINES 3

static size_t count_lines(struct sheet *sheet, const struct style *style)
{
	size_t length, lines = 0;
	char *text;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		out_of_memory();
	sheet_print(sheet, style, out);
	fclose(out);
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	free(text);
	return lines;
}

/* As many rows as the screen has room for, and at least one. */
static void fit(struct sheet *sheet, const struct style *style, size_t height)
{
	size_t lines = count_lines(sheet, style) + KEY_LINES, rows = sheet_rows(sheet);
	size_t over = lines > height ? lines - height : 0;

	if (over)
		sheet_top(sheet, rows > over ? rows - over : 1);
}

static int print(const struct top *top, const struct moment *a, const struct moment *b)
{
	struct style style = top->options.style;
	size_t rows = top->options.rows.top, height;
	struct scale scale;
	struct sheet sheet;
	int error;

	if (scale_for(&scale, &b->record, top->options.unit))
		return -1;
	if (top->is_screen) {
		terminal_size(&height, &style.width);
		terminal_home();
	}
	sheet_init(&sheet, "top", &scale);
	error = top_sheet(&sheet, top, a, b);
	if (!error) {
		if (rows)
			sheet_top(&sheet, rows);
		if (top->is_screen)
			fit(&sheet, &style, height);
		sheet_print(&sheet, &style, stdout);
		if (top->is_screen)
			top_print_keys(top);
		fflush(stdout);
	}
	sheet_free(&sheet);
	return error;
}

/* Wait until the next table is due or a key asks for another view. */
static bool pause_between(struct top *top)
{
	double until = seconds_now() + top->seconds;
	int key;

	if (!top->is_screen) {
		struct timespec time = { .tv_sec = top->seconds };

		time.tv_nsec = (top->seconds - time.tv_sec) * 1e9;
		return !nanosleep(&time, NULL) && !child_was_interrupted();
	}
	while (seconds_now() < until && !child_was_interrupted()) {
		key = terminal_key((until - seconds_now()) * 1000);
		if (key)
			return top_press(top, key);
	}
	return !child_was_interrupted();
}

static int take(struct moment *moment, const struct top *top)
{
	return moment_take(moment, options_dir(&top->options), &top->options.rows.grouping);
}

/* Another grouping has other rows, so read the starting point again. */
static int watch(struct top *top)
{
	double until = seconds_now() + top->time;
	struct moment a, b;
	int error = take(&a, top);

	for (size_t shown = 0; !error && (!top->count || shown < top->count); shown++) {
		if (!pause_between(top) || (top->time && a.at >= until))
			break;
		costs_free(&a.costs);
		error = costs_read(&a.costs, a.record.runs, 1, &top->options.rows.grouping) || take(&b, top);
		if (error)
			break;
		error = print(top, &a, &b);
		moment_forget(&a);
		a = b;
	}
	moment_forget(&a);
	return error ? -1 : 0;
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
	if (!error)
		error = watch(top);
	if (top->is_screen)
		terminal_end();
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
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_grouped_output,
		.doc = "Show what hooks cost right now. Switches the monitor on while it runs, and resets nothing.",
	};
	struct top top = { .seconds = SECONDS_DEFAULT };

	options_init(&top.options);
	top.options.rows.sort_default = TOP_SORT_DEFAULT;
	argp_parse(&argp, argc, argv, 0, NULL, &top);
	top.options.style.one_line = true;
	top.is_screen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
			top.options.style.format == FORMAT_TEXT;
	return run(&top) ? STATUS_ERROR : EXIT_SUCCESS;
}
