/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_OPTIONS_H
#define LSMPMON_OPTIONS_H

#include <argp.h>

#include "sheet.h"

/**
 * struct options - what views have in common
 * @dir: the directory lsmmon/
 * @input: a record instead of that; NULL: none
 * @style: how to print
 * @unit: of times
 */
struct options {
	const char *dir;
	const char *input;
	struct style style;
	enum unit unit;
};

/* Children of a command's parser: -d; with -i; with how to print; with both. */
extern const struct argp_child options_place[];
extern const struct argp_child options_source[];
extern const struct argp_child options_output[];
extern const struct argp_child options_input[];
/* How to print, and nothing else. */
extern const struct argp_child options_style[];

void options_init(struct options *options);

/* At ARGP_KEY_INIT: where the children put what they find. */
void options_give(struct argp_state *state, struct options *options);

/* Of a command that has no options but these and no arguments. */
void options_parse(const struct argp_child *children, const char *doc, int argc, char **argv,
		   struct options *options);

/* A whole number of at least @least, or the end of the program. */
size_t option_number(struct argp_state *state, const char *option, const char *text, size_t least);

/* The record that -i names, or the monitor as it is. 0, or -1 after a complaint. */
int options_record(const struct options *options, struct record *record);

#endif
