/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_RECORD_H
#define LSMPMON_RECORD_H

#include <json-c/json.h>
#include <stdio.h>

#include "run.h"

#define RECORD_FORMAT "lsmpmon-record"
#define RECORD_VERSION 1

/**
 * struct record - what was measured, and on what
 * @name: of the file that it came from, or of the directory
 * @about: facts of the kernel and the machine by name, all of them text
 * @command: its words, an array; NULL: there was none
 * @runs: the same work, measured again and again
 * @run_count: how many; one at least in a record that was read
 */
struct record {
	char *name;
	struct json_object *about;
	struct json_object *command;
	struct run *runs;
	size_t run_count;
};

/* The files of lsmmon/ as they are now, and the facts of this machine. 0, or -1 after a complaint. */
int record_of_monitor(struct record *record, const char *dir);

/* 0, or -1 after a complaint. */
int record_load(struct record *record, const char *path);

/* The same of a text that is in memory already. */
int record_parse(struct record *record, const char *name, const char *text);

/* All runs of the file, of all the records in a directory, or of several of either with commas. */
int record_load_any(struct record *record, const char *path);

void record_print(const struct record *record, FILE *out);
struct run *record_add_run(struct record *record);
void record_free(struct record *record);

/* A fact; NULL: it has none of that name. */
const char *record_fact(const struct record *record, const char *name);

#endif
