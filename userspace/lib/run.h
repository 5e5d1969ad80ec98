/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_RUN_H
#define LSMPMON_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "table.h"

/**
 * struct run_file - a file of lsmmon/ as it was after a run
 * @name: of the file
 * @text: its content
 * @table: the same, once somebody asked for it
 */
struct run_file {
	char *name;
	char *text;
	struct table *table;
};

/**
 * struct run - what the kernel measured once
 * @files: all that could be read
 * @file_count: how many
 * @status: of the command, as a shell has it
 * @seconds: how long that took
 * @boot: names the boot that it was in: equal for runs of the same one
 * @disturbed: why this is not all that was to be measured, and nothing else; NULL: it is
 */
struct run {
	struct run_file *files;
	size_t file_count;
	int status;
	double seconds;
	char *boot;
	char *disturbed;
};

void run_add(struct run *run, const char *name, const char *text);
void run_free(struct run *run);

/* NULL: it has no such file. */
const char *run_text(const struct run *run, const char *name);

/* NULL after a complaint: it has no such file, or that is no table. */
const struct table *run_table(const struct run *run, const char *name);

/* The value of a `key: value` line of info, to be freed; NULL: there is none. */
char *run_info(const struct run *run, const char *key);

/* 0 where there is no such key or it is no number. */
uint64_t run_info_number(const struct run *run, const char *key);

#endif
