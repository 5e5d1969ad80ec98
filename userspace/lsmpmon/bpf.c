// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon bpf: what BPF programs on hooks took one by one, and what of BPF's callback none of them did. */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commands.h"
#include "commas.h"
#include "complain.h"
#include "costs.h"
#include "hook_view.h"

#define MODULE "bpf"

/* Rows that are not of one program. No program has parentheses in its name. */
#define ALL_PROGRAMS "(programs)"
#define CALLBACK "(callback)"
#define TRAMPOLINE "(trampoline)"

/**
 * struct program - a BPF program on a hook
 * @hook: the hook; this and the next two are valid as long as the record
 * @name: its name
 * @owner: who has it
 * @id: its number
 * @uid: who loaded it
 * @count: how often it ran
 * @ns: how long, in nanoseconds
 * @missed: how often it was left out since it was running already
 */
struct program {
	const char *hook;
	const char *name;
	const char *owner;
	uint64_t id;
	uint64_t uid;
	uint64_t count;
	uint64_t ns;
	uint64_t missed;
};

/**
 * struct bpf - what is shown
 * @programs: the programs, by hook
 * @count: how many
 * @costs: callbacks by module and hook
 * @ticks_per_ns: of the monitor's clock
 */
struct bpf {
	struct program *programs;
	size_t count;
	struct costs costs;
	double ticks_per_ns;
};

static bool is_same(const struct program *a, const struct program *b)
{
	return a->id == b->id && !strcmp(a->name, b->name) && !strcmp(a->hook, b->hook);
}

/* Several runs may have it; who has it may be known in only some. */
static void add_program(struct bpf *bpf, const struct program *program)
{
	for (size_t i = 0; i < bpf->count; i++) {
		struct program *known = &bpf->programs[i];

		if (!is_same(known, program))
			continue;
		known->count += program->count;
		known->ns += program->ns;
		known->missed += program->missed;
		if (!strcmp(known->owner, "-"))
			known->owner = program->owner;
		return;
	}
	bpf->programs = xgrow(bpf->programs, bpf->count, sizeof(*bpf->programs));
	bpf->programs[bpf->count++] = *program;
}

static int read_row(struct bpf *bpf, const struct table *table, size_t row, const struct hook_view *view)
{
	struct program program = {
		.hook = table_text(table, row, table_find(table, "hook")) ?: "-",
		.name = table_text(table, row, table_find(table, "program")) ?: "-",
		.owner = table_text(table, row, table_find(table, "owner")) ?: "-",
	};

	if (table_number(table, row, table_find(table, "id"), &program.id) ||
	    table_number(table, row, table_find(table, "uid"), &program.uid) ||
	    table_number(table, row, table_find(table, "count"), &program.count) ||
	    table_number(table, row, table_find(table, "ns"), &program.ns) ||
	    table_number(table, row, table_find(table, "missed"), &program.missed))
		return -1;
	if (hook_view_has(view, program.hook))
		add_program(bpf, &program);
	return 0;
}

static int read_run(struct bpf *bpf, const struct run *run, const struct hook_view *view)
{
	static const char *const columns[] = { "hook", "program", "owner", "id", "uid", "count", "ns", "missed" };
	const struct table *table = run_table(run, MODULE);

	if (!table)
		return -1;
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (table_need(table, columns[i]) < 0)
			return -1;
	for (size_t row = 0; row < table->row_count; row++)
		if (read_row(bpf, table, row, view))
			return -1;
	return 0;
}

static int by_hook(const void *left, const void *right)
{
	const struct program *a = left, *b = right;
	int hook = strcmp(a->hook, b->hook);

	if (hook)
		return hook;
	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static int read_bpf(struct bpf *bpf, const struct record *record, const struct hook_view *view)
{
	struct grouping callbacks;
	int error = 0;

	*bpf = (struct bpf){ .ticks_per_ns = run_info_number(record->runs, "clock_khz") / 1e6 };
	if (!bpf->ticks_per_ns)
		return complain("'%s' does not say how fast the clock is (clock_khz)", record->name);
	if (grouping_parse(&callbacks, "module,hook") ||
	    costs_read(&bpf->costs, record->runs, record->run_count, &callbacks))
		return -1;
	for (size_t i = 0; !error && i < record->run_count; i++)
		error = read_run(bpf, &record->runs[i], view);
	if (!error && bpf->count)
		qsort(bpf->programs, bpf->count, sizeof(*bpf->programs), by_hook);
	return error;
}

static void free_bpf(struct bpf *bpf)
{
	free(bpf->programs);
	costs_free(&bpf->costs);
}

static void add_columns(struct sheet *sheet)
{
	sheet_column(sheet, "hook", TEXT, 0);
	sheet_column(sheet, "program", TEXT, 0);
	sheet_column(sheet, "id", COUNT, 3);
	sheet_column(sheet, "uid", COUNT, 5);
	sheet_column(sheet, "calls", COUNT, 0);
	sheet_spare_column(sheet, "missed", COUNT, 1);
	sheet_column(sheet, "ave", TICKS, 0);
	sheet_column(sheet, "wall", TICKS, 0);
	sheet_column(sheet, "own", TICKS, 4);
	sheet_column(sheet, "share", PERCENT, 2);
	sheet_long_column(sheet, "owner");
}

static void number_or_nothing(struct sheet *sheet, bool is_known, double number)
{
	if (is_known)
		sheet_number(sheet, number);
	else
		sheet_nothing(sheet);
}

/* @all: the ticks of the hook's callback, of which these are a part. */
static void add_wall(struct sheet *sheet, double calls, double ticks, double all, double own)
{
	number_or_nothing(sheet, calls, ticks / (calls ?: 1));
	sheet_number(sheet, ticks);
	number_or_nothing(sheet, own >= 0, own);
	number_or_nothing(sheet, all, 100 * ticks / (all ?: 1));
}

static void add_row(struct sheet *sheet, const struct bpf *bpf, const struct program *program, double all)
{
	sheet_text(sheet, program->hook);
	sheet_text(sheet, program->name);
	sheet_number(sheet, program->id);
	sheet_number(sheet, program->uid);
	sheet_number(sheet, program->count);
	sheet_number(sheet, program->missed);
	add_wall(sheet, program->count, program->ns * bpf->ticks_per_ns, all, -1);
	hook_view_text(sheet, program->owner, "-");
}

/* A row that is not of one program. */
static void add_others(struct sheet *sheet, const char *hook, const char *what, double calls)
{
	sheet_text(sheet, hook);
	sheet_text(sheet, what);
	sheet_nothing(sheet);
	sheet_nothing(sheet);
	sheet_number(sheet, calls);
	sheet_nothing(sheet);
}

/* The callback, and what of it is left without all of the hook's programs. */
static void add_callback(struct sheet *sheet, const struct cost *cost, double programs)
{
	double all = cost->times.wall, calls = cost_calls(cost);

	add_others(sheet, cost->keys[1], CALLBACK, calls);
	add_wall(sheet, calls, all, all, cost->times.own);
	sheet_nothing(sheet);
	add_others(sheet, cost->keys[1], TRAMPOLINE, calls);
	add_wall(sheet, calls, all - programs, all, -1);
	sheet_nothing(sheet);
}

/* The rows of the hook of @first, which is the first of @count programs on it. */
static void add_hook(struct sheet *sheet, const struct bpf *bpf, const struct program *first, size_t count)
{
	const struct cost *cost = costs_find(&bpf->costs, (const char *[]){ MODULE, first->hook }, 2);
	double all = cost ? cost->times.wall : 0, programs = 0, calls = 0;

	for (size_t i = 0; i < count; i++) {
		add_row(sheet, bpf, &first[i], all);
		programs += first[i].ns * bpf->ticks_per_ns;
		calls += first[i].count;
	}
	if (count > 1) {
		add_others(sheet, first->hook, ALL_PROGRAMS, calls);
		add_wall(sheet, calls, programs, all, -1);
		sheet_nothing(sheet);
	}
	if (cost)
		add_callback(sheet, cost, programs);
}

static bool has_program(const struct bpf *bpf, const char *hook)
{
	for (size_t i = 0; i < bpf->count; i++)
		if (!strcmp(bpf->programs[i].hook, hook))
			return true;
	return false;
}

static void tell_empty(struct sheet *sheet, size_t hooks, double calls, double ticks)
{
	char *number = with_commas(xasprintf("%.0f", calls));
	char *took = with_commas(xasprintf("%.0f", ticks * sheet->scale.per_tick));

	sheet_note(sheet, "Hooks without a program: %zu; in these, BPF's callback was called %s times and took %s %s.", hooks,
		   number, took, sheet->scale.name);
	free(number);
	free(took);
}

/* BPF has a callback in every hook, also where it has nothing to do. */
static void note_empty(struct sheet *sheet, const struct bpf *bpf)
{
	double calls = 0, ticks = 0;
	size_t hooks = 0;

	for (size_t i = 0; i < bpf->costs.count; i++) {
		const struct cost *cost = &bpf->costs.rows[i];

		if (strcmp(cost->keys[0], MODULE) || !cost_calls(cost) || has_program(bpf, cost->keys[1]))
			continue;
		hooks++;
		calls += cost_calls(cost);
		ticks += cost->times.wall;
	}
	if (hooks)
		tell_empty(sheet, hooks, calls, ticks);
}

static int fill(const struct hook_view *view, const struct record *record, struct sheet *sheet)
{
	struct bpf bpf;
	int error = read_bpf(&bpf, record, view);

	add_columns(sheet);
	for (size_t i = 0, next; !error && i < bpf.count; i = next) {
		for (next = i; next < bpf.count && !strcmp(bpf.programs[next].hook, bpf.programs[i].hook);)
			next++;
		add_hook(sheet, &bpf, &bpf.programs[i], next - i);
	}
	if (!error && bpf.count)
		sheet_note(sheet, "Programs by the kernel's own statistics; " CALLBACK " is all of BPF's callback, as the monitor "
			   "has it, " TRAMPOLINE " what of that no program took. wall is from begin to end.");
	else if (!error)
		sheet_note(sheet, "No BPF program was on %s.", view->hook ?: "a hook");
	if (!error && !view->hook)
		note_empty(sheet, &bpf);
	free_bpf(&bpf);
	return error;
}

int command_bpf(int argc, char **argv)
{
	static const struct hook_table table = {
		.name = MODULE, .option = "--bpf", .fill = fill, .lacks = "BPF programs were not timed one by one",
		.sort_default = "the hooks by name, in each the programs by time",
		.doc = "Show what BPF programs on hooks took, or those on one: who has each, how often it ran and for how long, and "
		       "what of BPF's callback none of them took.",
	};

	return hook_view(&table, argc, argv);
}
