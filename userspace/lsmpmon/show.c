// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon show and report: what was counted, as a table. */

#include <stdlib.h>

#include "commands.h"
#include "new_file.h"
#include "options.h"
#include "page.h"
#include "stacks.h"
#include "view.h"

enum key { KEY_WALL = 512, KEY_HTML, KEY_FOLDED };

struct show {
	struct options options;
	struct view view;
	const char *html;
	bool is_folded;
	bool is_report;
};

static const struct argp_option table[] = {
	{ "quantiles", 'q', NULL, 0, "p50, p90, p99, p99.9 of each hook, from its histogram", 0 },
	{ "wall", KEY_WALL, NULL, 0, WALL_HELP, 0 },
	{ 0 }
};

static const struct argp_option report_table[] = {
	{ "quantiles", 'q', NULL, 0, "p50, p90, p99, p99.9 of each hook, from its histogram", 0 },
	{ "wall", KEY_WALL, NULL, 0, WALL_HELP, 0 },
	{ "html", KEY_HTML, "FILE", 0, "Write a self-contained HTML page; - is stdout", 0 },
	{ "folded", KEY_FOLDED, NULL, 0, "Print lines of SYSCALL;HOOK;MODULE TICKS, for flamegraph.pl and speedscope", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct show *show = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_grouped_input, &show->options);
		break;
	case 'q':
		show->view.quantiles = true;
		break;
	case KEY_WALL:
		show->view.time = WALL_TIME;
		break;
	case KEY_HTML:
		show->html = arg;
		break;
	case KEY_FOLDED:
		show->is_folded = true;
		break;
	case ARGP_KEY_ARG:
		return option_record(&show->options, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int load(const struct show *show, struct record *record)
{
	if (show->is_report && !show->options.input && !show->options.dir)
		return record_load_any(record, RECORD_DEFAULT);
	return options_record(&show->options, record);
}

static int write_page(const struct show *show, const struct record *record)
{
	struct new_file file;

	if (new_file_begin(&file, show->html))
		return -1;
	if (!page_print(record, show->options.unit, show->view.time, file.stream))
		return new_file_finish(&file, false);
	new_file_drop(&file);
	return -1;
}

static int print_costs(const struct show *show, const struct record *record)
{
	struct sheet sheet;

	if (view_costs(&show->view, show->is_report ? "report" : "show", record, &sheet))
		return -1;
	sheet_print(&sheet, &show->options.style, stdout);
	sheet_free(&sheet);
	return 0;
}

static int print(const struct show *show)
{
	struct record record;
	int error;

	if (load(show, &record))
		return -1;
	if (show->html)
		error = write_page(show, &record);
	else if (show->is_folded)
		error = stacks_fold(&record, show->view.time, stdout);
	else
		error = print_costs(show, &record);
	record_free(&record);
	return error;
}

static int run(struct show *show, const struct argp *argp, int argc, char **argv)
{
	options_init(&show->options);
	show->options.rows.sort_default = "sum";
	argp_parse(argp, argc, argv, 0, NULL, show);
	show->view.unit = show->options.unit;
	show->view.grouping = show->options.rows.grouping;
	show->view.sort = show->options.rows.sort;
	show->view.top = show->options.rows.top;
	return print(show) ? STATUS_ERROR : EXIT_SUCCESS;
}

int command_show(int argc, char **argv)
{
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_grouped_input, .args_doc = "[FILE]",
		.doc = "Show what was counted until now, or in a record, the most time first.",
	};
	struct show show = { .is_report = false };

	return run(&show, &argp, argc, argv);
}

int command_report(int argc, char **argv)
{
	static const struct argp argp = {
		.options = report_table, .parser = parse, .children = options_grouped_input, .args_doc = "[FILE|DIR]",
		.doc = "Show what a record (default: " RECORD_DEFAULT "), or all in a directory together, has, the most time first.",
	};
	struct show show = { .is_report = true };

	return run(&show, &argp, argc, argv);
}
