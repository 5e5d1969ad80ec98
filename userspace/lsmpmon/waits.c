// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon waits: how often and for how long hooks waited for locks, or for memory. */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commands.h"
#include "costs.h"
#include "hook_view.h"

/**
 * struct wait - the waits of one kind in a hook
 * @hook: the hook; this and the next two are valid as long as the record
 * @module: the module whose callback waited; "-" for none
 * @kind: what it waited for
 * @count: how many
 * @sum: their ticks
 * @max: ticks of the longest
 */
struct wait {
	const char *hook;
	const char *module;
	const char *kind;
	uint64_t count;
	uint64_t sum;
	uint64_t max;
};

/**
 * struct waits - all waits
 * @rows: in the kernel's order
 * @count: how many
 */
struct waits {
	struct wait *rows;
	size_t count;
};

static bool is_same(const struct wait *a, const struct wait *b)
{
	return !strcmp(a->hook, b->hook) && !strcmp(a->module, b->module) && !strcmp(a->kind, b->kind);
}

static void add_wait(struct waits *waits, const struct wait *wait)
{
	for (size_t i = 0; i < waits->count; i++) {
		struct wait *row = &waits->rows[i];

		if (!is_same(row, wait))
			continue;
		row->count += wait->count;
		row->sum += wait->sum;
		row->max = wait->max > row->max ? wait->max : row->max;
		return;
	}
	waits->rows = xgrow(waits->rows, waits->count, sizeof(*waits->rows));
	waits->rows[waits->count++] = *wait;
}

static int read_run(struct waits *waits, const struct run *run, const struct hook_view *view)
{
	const struct table *table = run_table(run, "waits");
	int hook, module, kind, count, sum, max;

	if (!table)
		return -1;
	hook = table_need(table, "hook");
	module = table_need(table, "module");
	kind = table_need(table, "kind");
	count = table_need(table, "count");
	sum = table_need(table, "sum");
	max = table_need(table, "max");
	if ((hook | module | kind | count | sum | max) < 0)
		return -1;
	for (size_t row = 0; row < table->row_count; row++) {
		struct wait wait = { table_text(table, row, hook), table_text(table, row, module) ?: "-",
				     table_text(table, row, kind) ?: "-", 0, 0, 0 };

		if (table_number(table, row, count, &wait.count) || table_number(table, row, sum, &wait.sum) ||
		    table_number(table, row, max, &wait.max))
			return -1;
		if (hook_view_has(view, wait.hook))
			add_wait(waits, &wait);
	}
	return 0;
}

static int read_waits(struct waits *waits, const struct record *record, const struct hook_view *view)
{
	int error = 0;

	*waits = (struct waits){ 0 };
	for (size_t i = 0; !error && i < record->run_count; i++)
		error = read_run(waits, &record->runs[i], view);
	if (error)
		free(waits->rows);
	return error;
}

static void add_columns(struct sheet *sheet)
{
	sheet_column(sheet, "hook", TEXT, 0);
	sheet_spare_column(sheet, "module", TEXT, 0);
	sheet_column(sheet, "kind", TEXT, 0);
	sheet_column(sheet, "count", COUNT, 0);
	sheet_column(sheet, "ave", TICKS, 2);
	sheet_column(sheet, "max", TIMES, 1);
	sheet_column(sheet, "sum", TICKS, 0);
	sheet_column(sheet, "share", PERCENT, 0);
}

/* @costs: those of hooks. Waits are noted in calls that are timed, so they are a part of the time of these. */
static void add_row(struct sheet *sheet, const struct wait *wait, const struct costs *costs)
{
	const struct cost *cost = costs_find(costs, &wait->hook, 1);

	sheet_text(sheet, wait->hook);
	hook_view_text(sheet, wait->module, "-");
	sheet_text(sheet, wait->kind);
	sheet_number(sheet, wait->count);
	if (wait->count)
		sheet_number(sheet, (double)wait->sum / wait->count);
	else
		sheet_nothing(sheet);
	sheet_number(sheet, wait->max);
	sheet_number(sheet, wait->sum);
	if (cost && cost->sample.wall)
		sheet_number(sheet, 100.0 * wait->sum / cost->sample.wall);
	else
		sheet_nothing(sheet);
}

static void note_waits(struct sheet *sheet, const struct hook_view *view, const struct record *record)
{
	if (!sheet_rows(sheet)) {
		sheet_note(sheet, "No call%s%s waited for a lock or for memory.", view->hook ? " of " : "", view->hook ?: "");
		return;
	}
	sheet_note(sheet, "share is of the wall time of the hook's calls. A wait in a call inside another is a wait of both.");
	if (!run_has_feature(record->runs, "module") && !run_has_feature(record->runs, "stack"))
		sheet_note(sheet, "Which module waited was not measured: lsmpmon record -f waits,module, or lsmpmon on -f "
				  "waits,module.");
}

static int fill(const struct hook_view *view, const struct record *record, struct sheet *sheet)
{
	struct grouping hooks;
	struct costs costs;
	struct waits waits;

	if (grouping_parse(&hooks, "hook") || costs_read(&costs, record->runs, record->run_count, &hooks))
		return -1;
	if (read_waits(&waits, record, view)) {
		costs_free(&costs);
		return -1;
	}
	add_columns(sheet);
	for (size_t i = 0; i < waits.count; i++)
		add_row(sheet, &waits.rows[i], &costs);
	note_waits(sheet, view, record);
	free(waits.rows);
	costs_free(&costs);
	return 0;
}

int command_waits(int argc, char **argv)
{
	static const struct hook_table table = {
		.name = "waits", .sort = "sum", .fill = fill,
		.lacks = "the kernel's lsmpmon is older and does not know what hooks waited for",
		.off = "what hooks waited for was not measured",
		.doc = "Show how often and for how long calls of hooks, or of one, waited for a lock, or for memory that they had to "
		       "reclaim.",
	};

	return hook_view(&table, argc, argv);
}
