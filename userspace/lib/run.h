/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_RUN_H
#define LSMPMON_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"

/**
 * struct run_file - content of a file in lsmmon/ after a run
 * @name: name of the file
 * @text: its content
 * @table: the content parsed, from its first use on
 */
struct run_file {
	char *name;
	char *text;
	struct table *table;
};

/**
 * struct run - one measurement
 * @files: all readable files of lsmmon/
 * @file_count: number of files
 * @status: exit status of the command, as in a shell
 * @seconds: how long the command took
 * @date: when its record was made, as in 2026-11-28T09:58:12Z; NULL if that is not known
 * @boot: identifies the boot; equal for all runs of one boot
 * @command: what ran, as JSON; NULL if that is not known
 * @disturbed: why the run is not exact; NULL if it is
 */
struct run {
	struct run_file *files;
	size_t file_count;
	int status;
	double seconds;
	char *date;
	char *boot;
	char *command;
	char *disturbed;
};

void run_add(struct run *run, const char *name, const char *text);
void run_free(struct run *run);

/* The text of a file; NULL if there is none. */
const char *run_text(const struct run *run, const char *name);

/* A file as a table; NULL after a complaint if there is none or it is not a table. */
const struct table *run_table(const struct run *run, const char *name);

/* Whether a feature was on. */
bool run_has_feature(const struct run *run, const char *feature);

/* The value of a `key: value` line in info, for the caller to free; NULL if there is none. */
char *run_info(const struct run *run, const char *key);

/* The same as a number; 0 if the key is missing or not a number. */
uint64_t run_info_number(const struct run *run, const char *key);

#endif
