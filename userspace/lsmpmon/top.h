/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TOP_H
#define LSMPMON_TOP_H

#include <sys/types.h>

#include "moment.h"
#include "options.h"

#define FILTER_MAX 40
#define TOP_SORT_DEFAULT "time/s"

/**
 * struct top - what to show, and for how long
 * @options: the common options
 * @seconds: time from one table to the next
 * @time: time limit in seconds; 0 for none
 * @count: number of tables to show; 0 for no limit
 * @pid: only this process and what it starts; 0 for whatever passes the filter
 * @is_all: every task, whatever the filter says
 * @is_by_name: sorted by name, instead of as @options say
 * @filter: show only names that contain this
 * @is_typing: keys are being typed into @filter
 * @is_screen: show a screen on a terminal, not a stream of lines
 */
struct top {
	struct options options;
	double seconds;
	double time;
	size_t count;
	pid_t pid;
	bool is_all;
	bool is_by_name;
	char filter[FILTER_MAX];
	bool is_typing;
	bool is_screen;
};

/* Fill a sheet with what was counted from one moment to the next. Returns 0, or -1 after a complaint. */
int top_sheet(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b);

/* The key of the current view; 0 if there is none. */
char top_key(const struct top *top);

/* The help line below the table. */
void top_print_keys(const struct top *top);

/* Returns false if the key ends the program. */
bool top_press(struct top *top, int key);

#endif
