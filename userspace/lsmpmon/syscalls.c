// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon syscalls: what hooks cost in each system call, and what share of its time that is. */

#include <stdlib.h>

#include "commands.h"
#include "costs.h"
#include "options.h"

enum key { KEY_SORT = 512, KEY_TOP };

struct syscalls {
	struct options options;
	const char *sort;
	size_t top;
};

static void quotient(struct sheet *sheet, double part, double whole)
{
	if (whole)
		sheet_number(sheet, part / whole);
	else
		sheet_nothing(sheet);
}

static void whole_calls(struct sheet *sheet, const struct costs *costs)
{
	static const struct heading headings[] = {
		{ "syscall", TEXT, 0 }, { "count", COUNT, 0 }, { "cs_count", COUNT, 5 }, { "hooks", REAL, 0 },
		{ "lsm", TICKS, 0 }, { "ave", TICKS, 0 }, { "share", PERCENT, 0 }, { "sum", TICKS, 1 }, { 0 }
	};

	sheet_columns(sheet, headings);
	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->rows[i];

		sheet_text(sheet, cost->keys[0]);
		sheet_number(sheet, cost->count);
		sheet_number(sheet, cost->cs_count);
		quotient(sheet, cost->hook_count, cost->count);
		quotient(sheet, cost->hook_sum, cost->count);
		quotient(sheet, cost->sum, cost->count);
		quotient(sheet, 100.0 * cost->hook_sum, cost->sum);
		sheet_number(sheet, cost->hook_sum);
	}
}

/* Without the times of whole calls, only the hooks' part is known. */
static void hooks_alone(struct sheet *sheet, const struct costs *costs)
{
	static const struct heading headings[] = {
		{ "syscall", TEXT, 0 }, { "hook_calls", COUNT, 0 }, { "cs_count", COUNT, 5 }, { "ave", TICKS, 0 },
		{ "sum", TICKS, 0 }, { 0 }
	};

	sheet_columns(sheet, headings);
	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->rows[i];

		sheet_text(sheet, cost->keys[0]);
		sheet_number(sheet, cost->count);
		sheet_number(sheet, cost->cs_count);
		quotient(sheet, cost->sum, cost->count);
		sheet_number(sheet, cost->sum);
	}
}

static void say_why(struct sheet *sheet, bool has_calls, bool any)
{
	if (has_calls)
		sheet_note(sheet, "No share of the whole calls: they were not timed. "
				  "lsmpmon on -f calls, or lsmpmon record -f calls.");
	else
		sheet_note(sheet, "No share of the calls' whole time: this kernel cannot time whole "
				  "system calls (no file lsmmon/calls), since its architecture has no "
				  "system call tracepoints, as on User-Mode Linux.");
	if (!any)
		sheet_note(sheet, "Nor was any hook call counted by system call: lsmpmon on -f syscall, "
				  "or lsmpmon record -f syscall.");
}

static int fill(struct sheet *sheet, const struct record *record)
{
	bool has_calls = run_text(record->runs, "calls");
	struct grouping syscall;
	struct costs costs = { 0 };

	if (has_calls &&
	    costs_read(&costs, record->runs, record->run_count, &grouping_calls))
		return -1;
	if (costs.count) {
		whole_calls(sheet, &costs);
	} else {
		costs_free(&costs);
		if (grouping_parse(&syscall, "syscall") ||
		    costs_read(&costs, record->runs, record->run_count, &syscall))
			return -1;
		hooks_alone(sheet, &costs);
		say_why(sheet, has_calls, costs.count);
	}
	costs_free(&costs);
	return 0;
}

static int show(const struct syscalls *syscalls, const struct record *record)
{
	struct scale scale;
	struct sheet sheet;
	int error;

	if (scale_for(&scale, record, syscalls->options.unit))
		return -1;
	sheet_init(&sheet, "syscalls", &scale);
	sheet_describe(&sheet, record);
	error = fill(&sheet, record) || sheet_sort(&sheet, syscalls->sort) ? -1 : 0;
	if (!error) {
		if (syscalls->top)
			sheet_top(&sheet, syscalls->top);
		sheet_print(&sheet, &syscalls->options.style, stdout);
	}
	sheet_free(&sheet);
	return error;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct syscalls *syscalls = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, &syscalls->options);
		break;
	case KEY_SORT:
		syscalls->sort = arg;
		break;
	case KEY_TOP:
		syscalls->top = option_number(state, "--top", arg, 1, NUMBER_MAX);
		break;
	case ARGP_KEY_ARG:
		return option_record(&syscalls->options, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_syscalls(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "sort", KEY_SORT, "COLUMN", 0, "By any column (default: sum, the time in hooks)", 0 },
		{ "top", KEY_TOP, "N", 0, "Only the first N rows", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_input, .args_doc = "[FILE]",
		.doc = "Show what hooks cost in each system call, and what share of its time that is.",
	};
	struct syscalls syscalls = { .sort = "sum" };
	struct record record;
	int error;

	options_init(&syscalls.options);
	argp_parse(&argp, argc, argv, 0, NULL, &syscalls);
	if (options_record(&syscalls.options, &record))
		return STATUS_ERROR;
	error = show(&syscalls, &record);
	record_free(&record);
	return error ? STATUS_ERROR : EXIT_SUCCESS;
}
