/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_RECORD_H
#define LSMPMON_RECORD_H

#include <json-c/json.h>
#include <stdio.h>

#include "run.h"

#define RECORD_FORMAT "lsmpmon-record"
/* The first one, which is read as well, has all files as text. */
#define RECORD_VERSION 2

/**
 * struct record - what was measured, and on what
 * @name: the file or directory that it came from
 * @about: facts about the kernel and the machine: text by name
 * @command: array of the command's words; NULL if there was no command
 * @runs: the runs, all of the same work
 * @run_count: number of runs; at least one in a record that was read
 */
struct record {
	char *name;
	struct json_object *about;
	struct json_object *command;
	struct run *runs;
	size_t run_count;
};

/* Read the files of lsmmon/ and the facts of this machine. Returns 0, or -1 after a complaint. */
int record_of_monitor(struct record *record, const char *dir);

/* Read a record file. Returns 0, or -1 after a complaint. */
int record_load(struct record *record, const char *path);

/* The same for a text in memory. */
int record_parse(struct record *record, const char *name, const char *text);

/* Read a record file, all records in a directory, or a list of these with commas. */
int record_load_any(struct record *record, const char *path);

void record_print(const struct record *record, FILE *out);
struct run *record_add_run(struct record *record);
void record_free(struct record *record);

/* How many boots the runs come from. */
size_t record_boots(const struct record *record);

/* Whether the run is the first of its boot. */
bool record_is_new_boot(const struct record *record, size_t run);

/* One call in so many was timed; 1 for each. */
uint64_t record_timed(const struct record *record);

/* How many processors were online, or if the record does not say, how many there may be; 0 if that is unknown, too. */
unsigned int record_cpus(const struct record *record);

/* A fact; NULL if the record does not have it. */
const char *record_fact(const struct record *record, const char *name);

#endif
