/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_OPTIONS_H
#define LSMPMON_OPTIONS_H

#include <argp.h>

#include "costs.h"
#include "sheet.h"

/* Default file that record writes and the other commands read. */
#define RECORD_DEFAULT "lsmpmon.json"

#define NUMBER_MAX 1000000000
#define PID_MAX (1 << 22)

/**
 * struct rows - which rows a table has, and in which order
 * @by: what a row stands for, as given with --by; the command's default may be set before
 * @grouping: the same, parsed
 * @sort: column to sort by; NULL for the command's default
 * @sort_default: that default, for --help
 * @top: maximum number of rows; 0 for all
 */
struct rows {
	const char *by;
	struct grouping grouping;
	const char *sort;
	const char *sort_default;
	size_t top;
};

/**
 * struct options - options that the views have in common
 * @dir: the directory lsmmon/; NULL if not given
 * @input: a record to read instead; NULL if not given
 * @style: how to print
 * @unit: unit of times
 * @rows: rows of its table
 */
struct options {
	const char *dir;
	const char *input;
	struct style style;
	enum unit unit;
	struct rows rows;
};

/* What --wall does. */
#define WALL_HELP "Times from begin to end, instead of those on the CPU and without interrupts"

/*
 * Shared option sets, as argp children: -d; how to print; both; with -i; -i and -d. Those of tables that can be sorted
 * have --sort and --top as well, and those of tables that can be grouped also --by.
 */
extern const struct argp_child options_place[];
extern const struct argp_child options_printed[];
extern const struct argp_child options_output[];
extern const struct argp_child options_input[];
extern const struct argp_child options_source[];
extern const struct argp_child options_sorted_input[];
extern const struct argp_child options_grouped_input[];
extern const struct argp_child options_grouped_output[];
extern const struct argp_child options_grouped_printed[];

void options_init(struct options *options);

/* Call at ARGP_KEY_INIT: tells the command's children where to store their values. */
void options_give(struct argp_state *state, const struct argp_child *children, struct options *options);

/* Parse the options of a command that has only these, and no arguments. */
void options_parse(const struct argp_child *children, const char *doc, int argc, char **argv,
		   struct options *options);

/* End the program with an error of one line, which names what is accepted. */
void option_error(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* A whole number in the range; anything else ends the program with an error. */
size_t option_number(const char *option, const char *text, size_t least, size_t most);

/* A number above zero, such as 2 or 0.5; anything else ends the program with an error. */
double option_seconds(const char *option, const char *text);

/* A percentage such as 5 or 2.5; anything else ends the program with an error. */
double option_percent(const char *option, const char *text);

/* Take an argument that names a record, as -i does. The parser returns this value. */
error_t option_record(struct options *options, const char *path);

/* The monitor's directory. */
const char *options_dir(const struct options *options);

/* Load the named record, or the monitor's state now. Returns 0, or -1 after a complaint. */
int options_record(const struct options *options, struct record *record);

#endif
