/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TOP_H
#define LSMPMON_TOP_H

#include <sys/types.h>

#include "moment.h"
#include "options.h"

#define FILTER_MAX 40

/**
 * struct top - what is shown, and how long
 * @options: of the command line
 * @grouping: by what calls are told apart
 * @by: the same as it was given
 * @sort: by which column; "": by name
 * @rows: how many at most; 0: all
 * @seconds: from one table to the next
 * @time: until the end; 0: there is none
 * @count: tables until the end; 0: there is none
 * @pid: only that process and what it starts; 0: whatever passes the filter
 * @is_all: every task, whatever the filter is
 * @filter: only names with that in them
 * @is_typing: keys go into @filter
 * @is_screen: a terminal, not a stream of lines
 */
struct top {
	struct options options;
	struct grouping grouping;
	const char *by;
	const char *sort;
	size_t rows;
	double seconds;
	double time;
	size_t count;
	pid_t pid;
	bool is_all;
	char filter[FILTER_MAX];
	bool is_typing;
	bool is_screen;
};

/* What came from one moment to the next, as a sheet. 0, or -1 after a complaint. */
int top_sheet(struct sheet *sheet, const struct top *top, const struct moment *a, const struct moment *b);

/* The feature that what is shown needs; NULL: none. */
const char *top_feature(const struct top *top);

/* Below the table: what keys do. */
void top_print_keys(const struct top *top);

/* False: that was the last. */
bool top_press(struct top *top, int key);

#endif
