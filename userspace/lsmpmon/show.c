// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon show and report: what was counted, as a table. */

#include <stdlib.h>

#include "commands.h"
#include "options.h"
#include "view.h"

enum key { KEY_BY = 512, KEY_SORT, KEY_TOP };

struct show {
	struct options options;
	struct view view;
	const char *by;
	bool is_report;
};

static const struct argp_option table[] = {
	{ "by", KEY_BY, "WHAT", 0,
	  "hook (default), module, syscall, verdict, cpu, or two as in module,hook", 0 },
	{ "sort", KEY_SORT, "COLUMN", 0, "By any column (default: sum)", 0 },
	{ "top", KEY_TOP, "N", 0, "The first N rows alone", 0 },
	{ "quantiles", 'q', NULL, 0, "p50, p90, p99, p99.9 of each hook, from its histogram", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct show *show = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, &show->options);
		break;
	case KEY_BY:
		show->by = arg;
		break;
	case KEY_SORT:
		show->view.sort = arg;
		break;
	case KEY_TOP:
		show->view.top = option_number(state, "--top", arg, 1);
		break;
	case 'q':
		show->view.quantiles = true;
		break;
	case ARGP_KEY_ARG:
		if (!show->is_report || show->options.input)
			return ARGP_ERR_UNKNOWN;
		show->options.input = arg;
		break;
	case ARGP_KEY_END:
		if (show->is_report && !show->options.input)
			argp_error(state, "give the FILE that lsmpmon record has written");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int print(const struct show *show)
{
	struct record record;
	struct sheet sheet;
	int error;

	if (options_record(&show->options, &record))
		return -1;
	error = view_costs(&show->view, show->is_report ? "report" : "show", &record, &sheet);
	if (!error) {
		sheet_print(&sheet, &show->options.style, stdout);
		sheet_free(&sheet);
	}
	record_free(&record);
	return error;
}

static int run(struct show *show, const struct argp *argp, int argc, char **argv)
{
	options_init(&show->options);
	argp_parse(argp, argc, argv, 0, NULL, show);
	show->view.unit = show->options.unit;
	if (grouping_parse(&show->view.grouping, show->by ?: "hook") || print(show))
		return STATUS_ERROR;
	return EXIT_SUCCESS;
}

int command_show(int argc, char **argv)
{
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_input,
		.doc = "What was counted, the dearest first.",
	};
	struct show show = { .is_report = false };

	return run(&show, &argp, argc, argv);
}

int command_report(int argc, char **argv)
{
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_output, .args_doc = "FILE",
		.doc = "What a record has, the dearest first.",
	};
	struct show show = { .is_report = true };

	return run(&show, &argp, argc, argv);
}
