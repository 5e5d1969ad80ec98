/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TOP_H
#define LSMPMON_TOP_H

#include <sys/types.h>

#include "keep.h"
#include "moment.h"
#include "options.h"

#define FILTER_MAX 40
#define TOP_SORT_DEFAULT "time/s"
/* More than there are: a view, the levels below it, and the distribution. */
#define STEPS_MAX 8
#define FIXED_MAX (STEPS_MAX * KEYS_MAX)

/**
 * struct fixed - what the rows below a row have in common
 * @key: a key column, such as hook
 * @value: what that row has in it
 */
struct fixed {
	const char *key;
	char *value;
};

/**
 * struct step - a step down
 * @level: what the rows there are, as a number in top_path.c
 * @fixed_count: how many of those in struct path were there before
 */
struct step {
	size_t level;
	size_t fixed_count;
};

/**
 * struct path - the way down from a view to what is shown
 * @steps: the steps
 * @depth: how many; 0 in the view itself
 * @fixed: what all rows have in common
 * @fixed_count: how many of that
 */
struct path {
	struct step steps[STEPS_MAX];
	size_t depth;
	struct fixed fixed[FIXED_MAX];
	size_t fixed_count;
};

/**
 * struct chosen - the row that is marked on the screen
 * @values: its keys; NULL from the first one that it does not have
 * @row: its place among all rows
 * @first: the first row on the screen
 * @page: how many rows that has
 * @move: by how many rows to go on
 * @is_followed: the mark stays with these keys, instead of in the first row
 */
struct chosen {
	char *values[KEYS_MAX];
	size_t row;
	size_t first;
	size_t page;
	long move;
	bool is_followed;
};

/**
 * struct own_calls - hook calls that one reading of the monitor makes
 * @before: before such a reading
 * @after: after it, when nobody else was measured in between
 * @is_known: whether this was measured
 */
struct own_calls {
	struct moment before;
	struct moment after;
	bool is_known;
};

/**
 * struct top - what to show, and for how long
 * @options: the common options, with the grouping of what is shown now
 * @features: features to switch on, as a list; NULL to leave them as they are
 * @seconds: time from one table to the next
 * @time: time limit in seconds; 0 for none
 * @count: number of tables to show; 0 for no limit
 * @pid: only this process and what it starts; 0 for whatever passes the filter
 * @is_all: every task, whatever the filter says
 * @is_batch: plain lines, also on a terminal
 * @is_by_name: sorted by name, instead of as @options say
 * @filter: show only names that contain this
 * @is_typing: keys are being typed into @filter
 * @is_help: the help is shown
 * @is_stale: features were switched, so that what was read has to be read again
 * @is_screen: show a screen on a terminal, not a stream of lines
 * @shown: how many tables were shown
 * @began: when the first one began
 * @path: the way down
 * @chosen: the row that is marked
 * @own: our own calls
 */
struct top {
	struct options options;
	const char *features;
	double seconds;
	double time;
	size_t count;
	pid_t pid;
	bool is_all;
	bool is_batch;
	bool is_by_name;
	char filter[FILTER_MAX];
	bool is_typing;
	bool is_help;
	bool is_stale;
	bool is_screen;
	size_t shown;
	double began;
	struct path path;
	struct chosen chosen;
	struct own_calls own;
};

/* Read what is counted now. Returns 0, or -1 after a complaint. */
int top_take(struct moment *moment, const struct top *top);

/* Fill a sheet with what was counted from one moment to the next. Returns 0, or -1 after a complaint. */
int top_sheet(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b);

/* Fill it with the distribution of the hook at the end of the path, if it has calls. Returns 0, or -1 after a complaint. */
int top_histogram(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b);

/* Show a sheet with the chosen row marked, or the help, and the keys. */
void top_show(struct top *top, struct sheet *sheet);

/* The key of the current view; 0 if there is none. */
char top_key(const struct top *top);

/* @run: what was read last. Returns false if the key ends the program. */
bool top_press(struct top *top, int key, const struct run *run);

/* Leave the path, for a view of its own. */
void top_path_leave(struct top *top);

/* One step down from the chosen row, or without rows, from all. */
void top_path_down(struct top *top, const struct run *run);

/* One step back, to the row from which it went down. */
void top_path_up(struct top *top, const struct run *run);

/* Whether the distribution is shown. */
bool top_path_is_histogram(const struct top *top);

/* What the rows have in common in that column; NULL if nothing. */
const char *top_path_value(const struct top *top, const char *key);

/* The way down as a line, for the caller to free; NULL in the view itself. */
char *top_path_text(const struct top *top);

/* What is on the way, but not in these rows, since the kernel does not count it; for the caller to free, NULL for nothing. */
char *top_path_missing(const struct top *top);

void top_chosen_forget(struct chosen *chosen);

/*
 * Measure what one reading takes, where the kernel can leave out everybody else meanwhile. Call it with the monitor on.
 * Returns 0, or -1 after a complaint.
 */
int top_own_measure(struct top *top, const struct keep *keep);
void top_own_forget(struct own_calls *own);

/* A row, or all calls, without what our own calls have of it. @rows: own ticks that are left in all rows. */
struct cost top_own_leave_out(const struct top *top, const struct cost *since);
struct total top_own_leave_out_all(const struct top *top, const struct total *since, uint64_t rows);

/* How many calls that is; 0 if it is not known. */
uint64_t top_own_calls(const struct top *top);

#endif
