/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_OPTIONS_H
#define LSMPMON_OPTIONS_H

#include <argp.h>

#include "sheet.h"

/* What record writes and others read, unless they are told of another. */
#define RECORD_DEFAULT "lsmpmon.json"

#define NUMBER_MAX 1000000000
#define PID_MAX (1 << 22)

/**
 * struct options - what views have in common
 * @dir: the directory lsmmon/; NULL: not given
 * @input: a record instead of that; NULL: not given
 * @style: how to print
 * @unit: of times
 */
struct options {
	const char *dir;
	const char *input;
	struct style style;
	enum unit unit;
};

/* Of --by. */
#define GROUPINGS_HELP "hook (default), module, syscall, verdict, cpu, or two as in module,hook"

/* Children of a command's parser: -d; how to print; both; with -i; -i and -d. */
extern const struct argp_child options_place[];
extern const struct argp_child options_printed[];
extern const struct argp_child options_output[];
extern const struct argp_child options_input[];
extern const struct argp_child options_source[];

void options_init(struct options *options);

/* At ARGP_KEY_INIT: where the children put what they find. */
void options_give(struct argp_state *state, struct options *options);

/* Of a command that has no options but these and no arguments. */
void options_parse(const struct argp_child *children, const char *doc, int argc, char **argv,
		   struct options *options);

/* A whole number of that range, or the end of the program. */
size_t option_number(struct argp_state *state, const char *option, const char *text, size_t least,
		     size_t most);

/* More than none, as 2 or 0.5, or the end of the program. */
double option_seconds(struct argp_state *state, const char *option, const char *text);

/* An argument that names a record, as -i does: for the parser to return. */
error_t option_record(struct options *options, const char *path);

/* The monitor's directory. */
const char *options_dir(const struct options *options);

/* The record that is named, or the monitor as it is. 0, or -1 after a complaint. */
int options_record(const struct options *options, struct record *record);

/* The record that is named, or else the one that record writes, or else the monitor as it is. */
int options_saved(const struct options *options, struct record *record);

#endif
