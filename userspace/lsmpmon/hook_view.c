// SPDX-License-Identifier: GPL-2.0-only
/* What commands have in common that show a table of hooks, or its lines of one hook. */

#include "hook_view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "commands.h"
#include "complain.h"
#include "nearest.h"

int hook_number(const struct record *record, const char *hook)
{
	const struct table *table = run_table(record->runs, "result");
	int column = table ? table_need(table, "hook") : -1;
	struct nearest nearest;
	char *meant;

	if (column < 0)
		return -1;
	nearest_begin(&nearest, hook);
	for (size_t row = 0; row < table->row_count; row++) {
		const char *name = table_text(table, row, column) ?: "";

		if (!strcmp(name, hook))
			return row;
		nearest_try(&nearest, name);
	}
	meant = nearest_text(&nearest);
	complain("'%s' is not a hook of this kernel%s; lsmpmon show lists those that were called", hook, meant);
	free(meant);
	return -1;
}

void hook_title(struct sheet *sheet, const char *hook)
{
	char *before = sheet->title;

	sheet->title = xasprintf("%s; %s", hook, before);
	free(before);
}

bool hook_view_has(const struct hook_view *view, const char *hook)
{
	return hook && (!view->hook || !strcmp(view->hook, hook));
}

void hook_view_text(struct sheet *sheet, const char *text, const char *none)
{
	if (text && strcmp(text, none))
		sheet_text(sheet, text);
	else
		sheet_nothing(sheet);
}

/* Each run has the table. What record adds to callbacks needs those of modules. */
static int check_option(const struct hook_table *table, const struct record *record)
{
	for (size_t i = 0; i < record->run_count; i++)
		if (!run_text(&record->runs[i], table->name) || !run_has_feature(&record->runs[i], "module"))
			return complain("%s: lsmpmon record %s -- COMMAND", table->lacks, table->option);
	return 0;
}

/* Each run has the table, and its feature was on. */
static int check_table(const struct hook_table *table, const struct record *record)
{
	if (table->option)
		return check_option(table, record);
	for (size_t i = 0; i < record->run_count; i++) {
		const struct run *run = &record->runs[i];

		if (!run_text(run, table->name))
			return complain("%s (no file lsmmon/%s)", table->lacks, table->name);
		if (!run_has_feature(run, table->name))
			return complain("%s: lsmpmon record -f %s, or lsmpmon on -f %s", table->off, table->name,
					table->name);
	}
	return 0;
}

static int fill(const struct hook_table *table, const struct hook_view *view, const struct record *record,
		struct sheet *sheet)
{
	const char *sort = view->options.rows.sort ?: table->sort;

	sheet_describe(sheet, record);
	if (view->hook)
		hook_title(sheet, view->hook);
	if (table->fill(view, record, sheet) || (sort && sheet_sort(sheet, sort)))
		return -1;
	if (view->options.rows.top)
		sheet_top(sheet, view->options.rows.top);
	return 0;
}

static int show(const struct hook_table *table, const struct hook_view *view, const struct record *record)
{
	struct scale scale;
	struct sheet sheet;
	int error;

	if (check_table(table, record) || (view->hook && hook_number(record, view->hook) < 0) ||
	    scale_for(&scale, record, view->options.unit))
		return -1;
	sheet_init(&sheet, table->name, &scale);
	error = fill(table, view, record, &sheet);
	if (!error)
		sheet_print(&sheet, &view->options.style, stdout);
	sheet_free(&sheet);
	return error;
}

/* A file, or a word that looks like one: no hook has a period or a slash in its name. */
static bool is_file(const char *word)
{
	return strpbrk(word, "./") || !access(word, F_OK);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct hook_view *view = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_sorted_input, &view->options);
		break;
	case ARGP_KEY_ARG:
		if (view->hook || is_file(arg))
			return option_record(&view->options, arg);
		view->hook = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int hook_view(const struct hook_table *table, int argc, char **argv)
{
	const struct argp argp = {
		.parser = parse, .children = options_sorted_input, .args_doc = "[HOOK] [FILE]", .doc = table->doc,
	};
	struct hook_view view = { .hook = NULL };
	struct record record;
	int error;

	options_init(&view.options);
	view.options.rows.sort_default = table->sort_default ?: table->sort;
	argp_parse(&argp, argc, argv, 0, NULL, &view);
	if (options_record(&view.options, &record))
		return STATUS_ERROR;
	error = show(table, &view, &record);
	record_free(&record);
	return error ? STATUS_ERROR : EXIT_SUCCESS;
}
