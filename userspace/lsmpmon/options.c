// SPDX-License-Identifier: GPL-2.0-only
/* What commands have in common on their command lines. */

#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"
#include "monitor.h"

#define WIDTH_DEFAULT 80
#define WIDTH_MIN 40
#define SECONDS_MIN 0.01
#define SECONDS_MAX 1e9

enum key {
	KEY_JSON = 256, KEY_CSV, KEY_WIDTH, KEY_COLOUR, KEY_NS, KEY_US, KEY_CYCLES, KEY_MARKDOWN,
	KEY_BY, KEY_SORT, KEY_TOP,
};

void option_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain_args(format, args);
	va_end(args);
	exit(argp_err_exit_status);
}

size_t option_number(const char *option, const char *text, size_t least, size_t most)
{
	uint64_t number;

	if (parse_number(text, &number) || number < least || number > most)
		option_error("%s '%s': give a whole number from %zu to %zu", option, text, least, most);
	return number;
}

double option_seconds(const char *option, const char *text)
{
	double seconds;
	char *end;

	errno = 0;
	seconds = strtod(text, &end);
	if (errno || *end || *text < '0' || *text > '9' || !(seconds >= SECONDS_MIN) ||
	    !(seconds <= SECONDS_MAX))
		option_error("%s '%s': give seconds, as 2 or 0.5, from %g to %.0f", option, text, SECONDS_MIN,
			     SECONDS_MAX);
	return seconds;
}

double option_percent(const char *option, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (*end || end == text || !(value >= 0) || !isfinite(value))
		option_error("%s '%s': give a percentage, as 5 or 2.5", option, text);
	return value;
}

/* An empty variable says nothing. */
static bool has_colours(void)
{
	const char *unwanted = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(unwanted && *unwanted) && !(terminal && !strcmp(terminal, "dumb"));
}

static bool colour(const char *when)
{
	if (!strcmp(when, "always"))
		return true;
	if (!strcmp(when, "auto"))
		return has_colours();
	if (strcmp(when, "never"))
		option_error("--color '%s': give auto, always or never", when);
	return false;
}

static error_t parse_output(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_JSON:
		options->style.format = FORMAT_JSON;
		break;
	case KEY_CSV:
		options->style.format = FORMAT_CSV;
		break;
	case KEY_MARKDOWN:
		options->style.format = FORMAT_MARKDOWN;
		break;
	case KEY_WIDTH:
		options->style.width = option_number("--width", arg, WIDTH_MIN, NUMBER_MAX);
		break;
	case KEY_COLOUR:
		options->style.colour = colour(arg);
		break;
	case KEY_NS:
		options->unit = UNIT_NS;
		break;
	case KEY_US:
		options->unit = UNIT_US;
		break;
	case KEY_CYCLES:
		options->unit = UNIT_TICKS;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static error_t parse_place(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	if (key != 'd')
		return ARGP_ERR_UNKNOWN;
	options->dir = arg;
	return 0;
}

static error_t parse_input(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	if (key != 'i')
		return ARGP_ERR_UNKNOWN;
	options->input = arg;
	return 0;
}

static void group_by(struct rows *rows, const char *by)
{
	rows->by = by;
	if (grouping_parse(&rows->grouping, by))
		exit(argp_err_exit_status);
}

/* The parsers of commands come first, and may set another default. */
static error_t parse_rows(int key, char *arg, struct argp_state *state)
{
	struct rows *rows = &((struct options *)state->input)->rows;

	switch (key) {
	case ARGP_KEY_INIT:
		group_by(rows, rows->by ?: "hook");
		break;
	case KEY_BY:
		group_by(rows, arg);
		break;
	case KEY_SORT:
		rows->sort = arg;
		break;
	case KEY_TOP:
		rows->top = option_number("--top", arg, 1, NUMBER_MAX);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Each table is sorted in its own way, unless somebody asks for another. */
static char *help_rows(int key, const char *text, void *input)
{
	const struct options *options = input;

	if (key == KEY_SORT && options && options->rows.sort_default)
		return xasprintf("%s (default: %s)", text, options->rows.sort_default);
	return (char *)text;
}

static const struct argp_option output_table[] = {
	{ "json", KEY_JSON, NULL, 0, "Print JSON, as share/lsmpmon/schema/view.json describes it", 10 },
	{ "csv", KEY_CSV, NULL, 0, "Print comma-separated values", 10 },
	{ "markdown", KEY_MARKDOWN, NULL, 0, "Print a table for a mail or a pull request", 10 },
	{ "ns", KEY_NS, NULL, 0, "Times in nanoseconds (default)", 11 },
	{ "us", KEY_US, NULL, 0, "Times in microseconds", 11 },
	{ "cycles", KEY_CYCLES, NULL, 0, "Times in ticks of the clock, as the kernel has them", 11 },
	{ "width", KEY_WIDTH, "COLUMNS", 0, "Fit into COLUMNS (default: the terminal, in a pipe 80)", 12 },
	{ "color", KEY_COLOUR, "WHEN", 0, "auto (default), always or never", 12 },
	{ 0 }
};

static const struct argp_option place_table[] = {
	{ "dir", 'd', "DIR", 0, "The monitor, or a copy of its files (default: " LSMMON ")", 13 },
	{ 0 }
};

static const struct argp_option input_table[] = {
	{ "input", 'i', "FILE", 0, "A record, or a directory of records, instead of the monitor as it is now", 9 },
	{ 0 }
};

#define SORTED_TABLE								\
	{ "sort", KEY_SORT, "COLUMN", 0, "Sort by any column", 8 },		\
	{ "top", KEY_TOP, "N", 0, "Only the first N rows", 8 }

static const struct argp_option sorted_table[] = { SORTED_TABLE, { 0 } };

static const struct argp_option grouped_table[] = {
	{ "by", KEY_BY, "WHAT", 0, "Group calls by (default: hook): " GROUPINGS, 8 }, SORTED_TABLE, { 0 }
};

static const struct argp sorted = { .options = sorted_table, .parser = parse_rows, .help_filter = help_rows };
static const struct argp grouped = { .options = grouped_table, .parser = parse_rows, .help_filter = help_rows };
static const struct argp place = { .options = place_table, .parser = parse_place };
static const struct argp output = { .options = output_table, .parser = parse_output };
static const struct argp input = { .options = input_table, .parser = parse_input };

const struct argp_child options_place[] = { { .argp = &place }, { 0 } };
const struct argp_child options_source[] = { { .argp = &place }, { .argp = &input }, { 0 } };
const struct argp_child options_printed[] = { { .argp = &output }, { 0 } };
const struct argp_child options_output[] = { { .argp = &place }, { .argp = &output }, { 0 } };
const struct argp_child options_input[] = {
	{ .argp = &place }, { .argp = &output }, { .argp = &input }, { 0 }
};
const struct argp_child options_sorted_input[] = {
	{ .argp = &place }, { .argp = &output }, { .argp = &input }, { .argp = &sorted }, { 0 }
};
const struct argp_child options_grouped_input[] = {
	{ .argp = &place }, { .argp = &output }, { .argp = &input }, { .argp = &grouped }, { 0 }
};
const struct argp_child options_grouped_output[] = {
	{ .argp = &place }, { .argp = &output }, { .argp = &grouped }, { 0 }
};
const struct argp_child options_grouped_printed[] = { { .argp = &output }, { .argp = &grouped }, { 0 } };

void options_give(struct argp_state *state, const struct argp_child *children, struct options *options)
{
	for (size_t i = 0; children[i].argp; i++)
		state->child_inputs[i] = options;
}

/* A command that has only these options. */
struct plain {
	const struct argp_child *children;
	struct options *options;
};

static error_t parse_nothing(int key, char *arg, struct argp_state *state)
{
	const struct plain *plain = state->input;

	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	options_give(state, plain->children, plain->options);
	return 0;
}

void options_parse(const struct argp_child *children, const char *doc, int argc, char **argv,
		   struct options *options)
{
	const struct argp argp = { .parser = parse_nothing, .doc = doc, .children = children };
	struct plain plain = { children, options };

	options_init(options);
	argp_parse(&argp, argc, argv, 0, NULL, &plain);
}

static size_t terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return WIDTH_DEFAULT;
	return size.ws_col > WIDTH_MIN ? size.ws_col : WIDTH_MIN;
}

void options_init(struct options *options)
{
	*options = (struct options){
		.style = {
			.width = terminal_width(),
			.colour = has_colours(),
		},
	};
}

error_t option_record(struct options *options, const char *path)
{
	if (options->input)
		return ARGP_ERR_UNKNOWN;
	options->input = path;
	return 0;
}

const char *options_dir(const struct options *options)
{
	return options->dir ?: LSMMON;
}

int options_record(const struct options *options, struct record *record)
{
	if (options->input)
		return record_load_any(record, options->input);
	return record_of_monitor(record, options_dir(options));
}
