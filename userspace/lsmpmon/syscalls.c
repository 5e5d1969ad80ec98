// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon syscalls: what hooks cost in each system call, and what share of its time that is. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "bars.h"
#include "commas.h"
#include "commands.h"
#include "complain.h"
#include "costs.h"
#include "nearest.h"
#include "options.h"

/* Columns beside the bars: the two bounds, calls, their share, and the share up to here. */
#define NUMBERS_WIDTH (sizeof("90.0%  100.0%    100.0%  100.0%  ") - 1)
#define COUNT_WIDTH_MIN (sizeof("count") - 1)

/**
 * struct syscalls - what to show
 * @options: the common options
 * @name: the system call whose distribution to show; NULL for a table of all
 */
struct syscalls {
	struct options options;
	const char *name;
};

static void quotient(struct sheet *sheet, double part, double whole)
{
	if (whole)
		sheet_number(sheet, part / whole);
	else
		sheet_nothing(sheet);
}

/* With cs_count, @count is all calls of which the other columns are. */
static void first_columns(struct sheet *sheet, const char *count)
{
	sheet_column(sheet, "syscall", TEXT, 0);
	sheet_column(sheet, count, COUNT, 0);
	sheet_spare_column(sheet, "cs_count", COUNT, 1);
}

/* The time from begin to end, and what of it was not own time. */
static void waiting_columns(struct sheet *sheet)
{
	sheet_column(sheet, "wall", TICKS, 0);
	sheet_spare_column(sheet, "slept", TICKS, 2);
	sheet_spare_column(sheet, "preempted", TICKS, 3);
	sheet_spare_column(sheet, "interrupted", TICKS, 6);
	sheet_spare_column(sheet, "unknown", COUNT, 6);
}

static void add_waiting(struct sheet *sheet, const struct cost *cost)
{
	sheet_number(sheet, cost->times.wall);
	sheet_number(sheet, cost->times.slept);
	sheet_number(sheet, cost->times.preempted);
	sheet_number(sheet, times_interrupted(&cost->times));
	sheet_number(sheet, cost->unknown);
}

/* Of an older kernel, all columns but cs_count are of the calls without a context switch inside. */
static void whole_calls(struct sheet *sheet, const struct costs *costs)
{
	static const struct heading headings[] = {
		{ "hooks", REAL, 4 }, { "lsm", TICKS, 0 }, { "ave", TICKS, 0 }, { "share", PERCENT, 0 }, { "sum", TICKS, 1 }, { 0 }
	};

	first_columns(sheet, "count");
	sheet_columns(sheet, headings);
	if (costs->has_switched)
		waiting_columns(sheet);
	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->rows[i];

		sheet_text(sheet, cost->keys[0]);
		sheet_number(sheet, cost->count);
		sheet_number(sheet, cost->cs_count);
		quotient(sheet, cost->hook_count, cost_covered(cost));
		quotient(sheet, cost->hook_own, cost_covered(cost));
		quotient(sheet, cost->times.own, cost_with(cost, OWN_TIME));
		quotient(sheet, 100.0 * cost->hook_own, cost->times.own);
		sheet_number(sheet, cost->hook_own);
		if (costs->has_switched)
			add_waiting(sheet, cost);
	}
}

/* Without the times of whole calls, only the hooks' part is known. */
static void hooks_alone(struct sheet *sheet, const struct costs *costs)
{
	static const struct heading headings[] = {
		{ "ave", TICKS, 0 }, { "sum", TICKS, 0 }, { 0 }
	};

	first_columns(sheet, "hook_calls");
	sheet_columns(sheet, headings);
	if (costs->has_switched)
		waiting_columns(sheet);
	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->rows[i];

		sheet_text(sheet, cost->keys[0]);
		sheet_number(sheet, cost->count);
		sheet_number(sheet, cost->cs_count);
		quotient(sheet, cost->times.own, cost_with(cost, OWN_TIME));
		sheet_number(sheet, cost->times.own);
		if (costs->has_switched)
			add_waiting(sheet, cost);
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

static int fill_hooks_alone(struct sheet *sheet, const struct record *record, struct costs *costs, bool has_calls)
{
	struct grouping syscall;

	if (grouping_parse(&syscall, "syscall") || costs_read(costs, record->runs, record->run_count, &syscall))
		return -1;
	hooks_alone(sheet, costs);
	say_why(sheet, has_calls, costs->count);
	return 0;
}

/* @sort: by the whole time of all calls, where the kernel has that. */
static int fill(struct sheet *sheet, const struct record *record, struct costs *costs, const char **sort)
{
	bool has_calls = run_text(record->runs, "calls");

	*sort = "sum";
	if (has_calls && costs_read(costs, record->runs, record->run_count, &grouping_calls))
		return -1;
	if (!costs->count) {
		costs_free(costs);
		return fill_hooks_alone(sheet, record, costs, has_calls);
	}
	whole_calls(sheet, costs);
	if (costs->has_switched)
		*sort = "wall";
	return 0;
}

static int show_all(const struct syscalls *syscalls, const struct record *record, struct sheet *sheet)
{
	const struct rows *rows = &syscalls->options.rows;
	struct costs costs = { 0 };
	const char *sort;
	int error = fill(sheet, record, &costs, &sort);

	if (!error && sheet_rows(sheet))
		sheet_note(sheet, "%s", times_text(costs.has_switched, OWN_TIME));
	costs_free(&costs);
	if (error || sheet_sort(sheet, rows->sort ?: sort))
		return -1;
	if (rows->top)
		sheet_top(sheet, rows->top);
	return 0;
}

static void shares_columns(struct sheet *sheet, const char *name, bool has_bars)
{
	static const struct heading headings[] = {
		{ "from", PERCENT, 0 }, { "to", PERCENT, 0 }, { "count", COUNT, 0 }, { "share", PERCENT, 0 },
		{ "until", PERCENT, 1 }, { 0 }
	};
	char *before = sheet->title;

	sheet->title = xasprintf("%s; %s", name, before);
	free(before);
	sheet_columns(sheet, headings);
	if (has_bars)
		sheet_column(sheet, "calls", TEXT, 0);
}

/* Which share of its own time hooks had in a system call: in so many calls this, in so many that. */
static void add_shares(struct sheet *sheet, const struct cost *cost, size_t room)
{
	uint64_t all = 0, most = 0;
	double below = 0;

	for (size_t i = 0; i < SHARES; i++) {
		all += cost->shares[i];
		if (cost->shares[i] > most)
			most = cost->shares[i];
	}
	for (size_t i = 0; i < SHARES; i++) {
		below += cost->shares[i];
		sheet_number(sheet, 100.0 * i / SHARES);
		sheet_number(sheet, 100.0 * (i + 1) / SHARES);
		sheet_number(sheet, cost->shares[i]);
		quotient(sheet, 100.0 * cost->shares[i], all);
		quotient(sheet, 100.0 * below, all);
		if (room)
			bars_add(sheet, cost->shares[i], most, room);
	}
}

/* As wide as the number of calls can be in a table for people. */
static size_t count_width(const struct cost *cost)
{
	char *text = with_commas(xasprintf("%ju", (uintmax_t)cost_calls(cost)));
	size_t length = strlen(text);

	free(text);
	return length > COUNT_WIDTH_MIN ? length : COUNT_WIDTH_MIN;
}

static void fill_shares(struct sheet *sheet, const struct syscalls *syscalls, const struct cost *cost)
{
	size_t room = bars_room(&syscalls->options.style, NUMBERS_WIDTH + count_width(cost));

	shares_columns(sheet, syscalls->name, room);
	add_shares(sheet, cost, room);
	sheet_note(sheet, "from and to are the hooks' share of the own time of a call; share and until are of its calls.");
	if (cost->unknown)
		sheet_note(sheet, "Of %ju more calls, the own time is unknown.", (uintmax_t)cost->unknown);
}

/* Not a system call of which there are calls: maybe it is called otherwise. */
static int no_calls_of(const struct syscalls *syscalls, const struct costs *costs)
{
	struct nearest nearest;
	char *meant;

	nearest_begin(&nearest, syscalls->name);
	for (size_t i = 0; i < costs->count; i++)
		nearest_try(&nearest, costs->rows[i].keys[0]);
	meant = nearest_text(&nearest);
	complain("no call of '%s' was counted%s; lsmpmon syscalls lists those that were", syscalls->name, meant);
	free(meant);
	return -1;
}

static int check_shares(const struct record *record, struct costs *costs)
{
	if (!run_text(record->runs, "calls"))
		return complain("this kernel cannot time whole system calls (no file lsmmon/calls)");
	if (costs_read(costs, record->runs, record->run_count, &grouping_calls))
		return -1;
	if (!costs->count)
		return complain("whole system calls were not timed: lsmpmon on -f calls, or lsmpmon record -f calls");
	if (!costs->has_switched || !costs->has_shares)
		return complain("the kernel's lsmpmon is older and does not know how the hooks' share is distributed");
	return 0;
}

static int show_one(const struct syscalls *syscalls, const struct record *record, struct sheet *sheet)
{
	const struct cost *cost;
	struct costs costs = { 0 };
	int error = check_shares(record, &costs);

	if (!error) {
		cost = costs_find(&costs, &syscalls->name, 1);
		if (cost)
			fill_shares(sheet, syscalls, cost);
		else
			error = no_calls_of(syscalls, &costs);
	}
	costs_free(&costs);
	return error;
}

static int show(const struct syscalls *syscalls, const struct record *record)
{
	struct scale scale;
	struct sheet sheet;
	int error;

	if (scale_for(&scale, record, syscalls->options.unit))
		return -1;
	sheet_init(&sheet, syscalls->name ? "shares" : "syscalls", &scale);
	sheet_describe(&sheet, record);
	error = syscalls->name ? show_one(syscalls, record, &sheet) : show_all(syscalls, record, &sheet);
	if (!error)
		sheet_print(&sheet, &syscalls->options.style, stdout);
	sheet_free(&sheet);
	return error;
}

/* A file, or a word that looks like one: no system call has a period or a slash in its name. */
static bool is_file(const char *word)
{
	return strpbrk(word, "./") || !access(word, F_OK);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct syscalls *syscalls = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_sorted_input, &syscalls->options);
		break;
	case ARGP_KEY_ARG:
		if (syscalls->name || is_file(arg))
			return option_record(&syscalls->options, arg);
		syscalls->name = arg;
		break;
	case ARGP_KEY_END:
		if (syscalls->name && (syscalls->options.rows.sort || syscalls->options.rows.top))
			option_error("--sort and --top are for the table of all system calls: give no SYSCALL");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_syscalls(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse, .children = options_sorted_input, .args_doc = "[SYSCALL] [FILE]",
		.doc = "Show what hooks cost in each system call, and what share of its time that is; or of one system call, "
		"in how many of its calls hooks had which share.",
	};
	struct syscalls syscalls = { .name = NULL };
	struct record record;
	int error;

	options_init(&syscalls.options);
	syscalls.options.rows.sort_default = "wall";
	argp_parse(&argp, argc, argv, 0, NULL, &syscalls);
	if (options_record(&syscalls.options, &record))
		return STATUS_ERROR;
	error = show(&syscalls, &record);
	record_free(&record);
	return error ? STATUS_ERROR : EXIT_SUCCESS;
}
