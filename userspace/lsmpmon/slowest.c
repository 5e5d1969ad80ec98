// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon slowest: the slowest calls of hooks, with who made them, when and on what. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commands.h"
#include "complain.h"
#include "hook_view.h"
#include "times.h"

/* So many the kernel keeps of each hook. As many of all hooks are shown, of which then none is missing. */
#define KEPT 16
#define NS_PER_S 1e9

/**
 * struct columns - where a run has what
 * @table: the file `slowest`
 * @reset: CLOCK_BOOTTIME of the reset, in nanoseconds; 0 if the run does not say
 */
struct columns {
	const struct table *table;
	uint64_t reset;
	int hook, wall, own, slept, preempted, end, pid, comm, syscall, module, error, object;
};

/**
 * struct call - one of the slowest calls
 * @of: the run that it is of
 * @row: its line
 * @hook: its hook; valid as long as the record
 * @wall: ticks from begin to end
 * @is_known: the next three are
 * @own: its own ticks
 * @slept: ticks for which the task slept
 * @preempted: ticks for which the task was off the CPU and could have run
 * @end: CLOCK_BOOTTIME when it ended, in nanoseconds
 * @pid: the process; 0 in interrupts
 */
struct call {
	const struct columns *of;
	size_t row;
	const char *hook;
	uint64_t wall;
	bool is_known;
	uint64_t own;
	uint64_t slept;
	uint64_t preempted;
	uint64_t end;
	uint64_t pid;
};

/**
 * struct calls - the slowest calls of all runs
 * @columns: of each run
 * @call: the calls, run by run; then by hook, the slowest first
 * @count: how many
 */
struct calls {
	struct columns *columns;
	struct call *call;
	size_t count;
};

static int find_columns(struct columns *columns, const struct run *run)
{
	const struct table *table = run_table(run, "slowest");

	if (!table)
		return -1;
	*columns = (struct columns){
		.table = table, .reset = run_info_number(run, "reset_ns"), .hook = table_need(table, "hook"),
		.wall = table_need(table, "wall"), .own = table_need(table, "own"),
		.slept = table_need(table, "slept"), .preempted = table_need(table, "preempted"),
		.end = table_need(table, "end"), .pid = table_need(table, "pid"), .comm = table_need(table, "comm"),
		.syscall = table_need(table, "syscall"), .module = table_need(table, "module"),
		.error = table_need(table, "error"), .object = table_need(table, "object"),
	};
	return (columns->hook | columns->wall | columns->own | columns->slept | columns->preempted | columns->end |
		columns->pid | columns->comm | columns->syscall | columns->module | columns->error |
		columns->object) < 0 ? -1 : 0;
}

static bool is_none(const char *text)
{
	return !text || !strcmp(text, "-");
}

static int read_call(struct call *call, const struct columns *columns, size_t row)
{
	const struct table *table = columns->table;

	*call = (struct call){ .of = columns, .row = row, .hook = table_text(table, row, columns->hook) };
	call->is_known = !is_none(table_text(table, row, columns->own));
	if (table_number(table, row, columns->wall, &call->wall) ||
	    table_number(table, row, columns->end, &call->end) || table_number(table, row, columns->pid, &call->pid))
		return -1;
	if (!call->is_known)
		return 0;
	return table_number(table, row, columns->own, &call->own) ||
	       table_number(table, row, columns->slept, &call->slept) ||
	       table_number(table, row, columns->preempted, &call->preempted) ? -1 : 0;
}

static int read_run(struct calls *calls, const struct columns *columns, const struct hook_view *view)
{
	for (size_t row = 0; row < columns->table->row_count; row++) {
		if (!hook_view_has(view, table_text(columns->table, row, columns->hook)))
			continue;
		if (read_call(&calls->call[calls->count++], columns, row))
			return -1;
	}
	return 0;
}

/* By hook, the slowest first; by its end, where two took as long. */
static int compare(const void *left, const void *right)
{
	const struct call *a = left, *b = right;
	int hook = strcmp(a->hook, b->hook);

	if (hook)
		return hook;
	if (a->wall != b->wall)
		return a->wall < b->wall ? 1 : -1;
	return (a->end > b->end) - (a->end < b->end);
}

/* What several runs have of a hook is more than the slowest of them: none of these is missing, but of the others some. */
static void keep_slowest(struct calls *calls)
{
	size_t kept = 0, same = 0;

	if (calls->count)
		qsort(calls->call, calls->count, sizeof(*calls->call), compare);
	for (size_t i = 0; i < calls->count; i++) {
		same = i && !strcmp(calls->call[i].hook, calls->call[i - 1].hook) ? same + 1 : 0;
		if (same < KEPT)
			calls->call[kept++] = calls->call[i];
	}
	calls->count = kept;
}

static void free_calls(struct calls *calls)
{
	free(calls->columns);
	free(calls->call);
}

static int read_calls(struct calls *calls, const struct record *record, const struct hook_view *view)
{
	size_t rows = 1;
	int error = 0;

	*calls = (struct calls){ .columns = xcalloc(record->run_count, sizeof(*calls->columns)) };
	for (size_t i = 0; !error && i < record->run_count; i++) {
		error = find_columns(&calls->columns[i], &record->runs[i]);
		rows += error ? 0 : calls->columns[i].table->row_count;
	}
	calls->call = xcalloc(rows, sizeof(*calls->call));
	for (size_t i = 0; !error && i < record->run_count; i++)
		error = read_run(calls, &calls->columns[i], view);
	if (error)
		free_calls(calls);
	else
		keep_slowest(calls);
	return error;
}

/* On a narrow terminal, columns of high rank go first. */
static void add_columns(struct sheet *sheet, const struct hook_view *view)
{
	sheet_column(sheet, "hook", TEXT, view->hook ? 10 : 0);
	sheet_column(sheet, "wall", TIMES, 0);
	sheet_column(sheet, "own", TIMES, 1);
	sheet_spare_column(sheet, "slept", TICKS, 4);
	sheet_spare_column(sheet, "preempted", TICKS, 5);
	sheet_spare_column(sheet, "interrupted", TICKS, 8);
	sheet_column(sheet, "when", SECONDS, 7);
	sheet_column(sheet, "end", SECONDS, 9);
	sheet_column(sheet, "comm", TEXT, 0);
	sheet_column(sheet, "pid", COUNT, 6);
	sheet_column(sheet, "syscall", TEXT, 3);
	sheet_spare_column(sheet, "module", TEXT, 2);
	sheet_spare_column(sheet, "error", TEXT, 3);
	sheet_long_column(sheet, "object");
}

static void add_times(struct sheet *sheet, const struct call *call)
{
	struct times times = {
		.own = call->own, .wall = call->wall, .slept = call->slept, .preempted = call->preempted
	};

	sheet_number(sheet, call->wall);
	if (!call->is_known) {
		for (int i = 0; i < 4; i++)
			sheet_nothing(sheet);
		return;
	}
	sheet_number(sheet, call->own);
	sheet_number(sheet, call->slept);
	sheet_number(sheet, call->preempted);
	sheet_number(sheet, times_interrupted(&times));
}

static void add_when(struct sheet *sheet, const struct call *call)
{
	const uint64_t reset = call->of->reset;

	if (reset && call->end >= reset)
		sheet_number(sheet, (call->end - reset) / NS_PER_S);
	else
		sheet_nothing(sheet);
	sheet_number(sheet, call->end / NS_PER_S);
}

static void add_call(struct sheet *sheet, const struct call *call)
{
	const struct columns *columns = call->of;
	const struct table *table = columns->table;

	sheet_text(sheet, call->hook);
	add_times(sheet, call);
	add_when(sheet, call);
	sheet_text(sheet, table_text(table, call->row, columns->comm) ?: "-");
	sheet_number(sheet, call->pid);
	sheet_text(sheet, table_text(table, call->row, columns->syscall) ?: "-");
	hook_view_text(sheet, table_text(table, call->row, columns->module), "-");
	hook_view_text(sheet, table_text(table, call->row, columns->error), "0");
	hook_view_text(sheet, table_text(table, call->row, columns->object), "-");
}

static void note_calls(struct sheet *sheet, const struct calls *calls, const struct record *record)
{
	double shortest = INFINITY;

	for (size_t i = 0; i < calls->count; i++)
		if (calls->call[i].wall < shortest)
			shortest = calls->call[i].wall;
	sheet_note(sheet, "wall is from begin to end, own is on the CPU and without interrupts; when is in seconds since the "
			  "reset. A call inside another is in both.");
	if (!run_has_feature(record->runs, "module") && !run_has_feature(record->runs, "stack"))
		sheet_note(sheet, "Which module took most was not measured: lsmpmon record -f slowest,module, or lsmpmon on "
				  "-f slowest,module.");
	sheet_note_step(sheet, shortest);
}

/* Each hook has its slowest calls here, so none is missing among as many of all. */
static int keep_first(const struct hook_view *view, struct sheet *sheet)
{
	const size_t count = sheet_rows(sheet);

	if (view->hook || count <= KEPT)
		return 0;
	if (sheet_sort(sheet, view->options.rows.sort ?: "wall"))
		return -1;
	sheet_top(sheet, KEPT);
	sheet_note(sheet, "These are %d of %zu calls, up to %d of each hook: --top N has more, lsmpmon slowest HOOK those of one.",
		   KEPT, count, KEPT);
	return 0;
}

static int fill_calls(const struct hook_view *view, struct sheet *sheet, const struct calls *calls,
		      const struct record *record)
{
	if (!calls->count && view->hook)
		return complain("no call of '%s' was counted", view->hook);
	add_columns(sheet, view);
	for (size_t i = 0; i < calls->count; i++)
		add_call(sheet, &calls->call[i]);
	if (!calls->count)
		sheet_note(sheet, "No call was counted: lsmpmon on -f slowest, or lsmpmon record -f slowest -- COMMAND.");
	else
		note_calls(sheet, calls, record);
	return view->options.rows.top ? 0 : keep_first(view, sheet);
}

static int fill(const struct hook_view *view, const struct record *record, struct sheet *sheet)
{
	struct calls calls;
	int error;

	if (read_calls(&calls, record, view))
		return -1;
	error = fill_calls(view, sheet, &calls, record);
	free_calls(&calls);
	return error;
}

int command_slowest(int argc, char **argv)
{
	static const struct hook_table table = {
		.name = "slowest", .sort = "wall", .fill = fill,
		.lacks = "the kernel's lsmpmon is older and does not keep the slowest calls",
		.off = "the slowest calls were not kept",
		.doc = "Show the slowest calls of all hooks, or the 16 slowest of one: how long they took and what of that they "
		       "waited, when, by whom and on what.",
	};

	return hook_view(&table, argc, argv);
}
