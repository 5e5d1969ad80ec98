/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_HOOK_VIEW_H
#define LSMPMON_HOOK_VIEW_H

#include "options.h"

/**
 * struct hook_view - what to show of a table of hooks, and how
 * @options: the common options
 * @hook: the hook whose lines to show; NULL for those of all
 */
struct hook_view {
	struct options options;
	const char *hook;
};

/**
 * struct hook_table - a table of hooks that has a feature, or an option of record, and a command of its own
 * @name: name of the file, the feature and the command
 * @option: the option of record that adds it to what the kernel has; NULL if that has it
 * @lacks: that a kernel or a record does not have it, as the beginning of a sentence
 * @off: that the feature was off, as the beginning of a sentence
 * @doc: what the command does
 * @sort: column to sort by if nobody says; NULL for the order of @fill
 * @sort_default: that order, for --help; NULL if @sort says it
 * @fill: add columns, rows and notes; returns 0, or -1 after a complaint
 */
struct hook_table {
	const char *name;
	const char *option;
	const char *lacks;
	const char *off;
	const char *doc;
	const char *sort;
	const char *sort_default;
	int (*fill)(const struct hook_view *view, const struct record *record, struct sheet *sheet);
};

/* Run the command of the table. Returns the exit status. */
int hook_view(const struct hook_table *table, int argc, char **argv);

/* Whether a line of such a table is to be shown. */
bool hook_view_has(const struct hook_view *view, const char *hook);

/* Add text, or nothing for what the kernel writes where there is none. */
void hook_view_text(struct sheet *sheet, const char *text, const char *none);

/* The place of a hook in the file `result`, from 0; -1 after a complaint if the kernel has no such hook. */
int hook_number(const struct record *record, const char *hook);

/* Put the name of the hook before the title. */
void hook_title(struct sheet *sheet, const char *hook);

#endif
