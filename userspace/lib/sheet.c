// SPDX-License-Identifier: GPL-2.0-only
#include "sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commas.h"
#include "complain.h"
#include "feature.h"
#include "json.h"
#include "title.h"

/* With so many, a step is a fifth. */
#define FEW_STEPS 5

void sheet_init(struct sheet *sheet, const char *view, const struct scale *scale)
{
	*sheet = (struct sheet){ .view = view, .scale = *scale };
}

static void drop_rows_from(struct sheet *sheet, size_t cell)
{
	for (size_t i = cell; i < sheet->cell_count; i++)
		free(sheet->cells[i].text);
	if (cell < sheet->cell_count)
		sheet->cell_count = cell;
}

void sheet_free(struct sheet *sheet)
{
	drop_rows_from(sheet, 0);
	for (size_t i = 0; i < sheet->note_count; i++)
		free(sheet->notes[i]);
	for (size_t i = 0; sheet->total && i < sheet->column_count; i++)
		free(sheet->total[i].text);
	for (size_t i = 0; i < sheet->column_count; i++)
		free(sheet->columns[i].name);
	free(sheet->cells);
	free(sheet->total);
	free(sheet->notes);
	free(sheet->columns);
	free(sheet->title);
	json_object_put(sheet->source);
	json_object_put(sheet->took);
}

void sheet_column(struct sheet *sheet, const char *name, enum kind kind, int rank)
{
	sheet->columns = xgrow(sheet->columns, sheet->column_count, sizeof(*sheet->columns));
	sheet->columns[sheet->column_count++] = (struct column){ .name = xstrdup(name), .kind = kind, .rank = rank };
}

void sheet_spare_column(struct sheet *sheet, const char *name, enum kind kind, int rank)
{
	sheet_column(sheet, name, kind, rank);
	sheet->columns[sheet->column_count - 1].is_spare = true;
}

void sheet_long_column(struct sheet *sheet, const char *name)
{
	sheet_column(sheet, name, TEXT, 0);
	sheet->columns[sheet->column_count - 1].is_long = true;
}

void sheet_columns(struct sheet *sheet, const struct heading *headings)
{
	for (; headings->name; headings++)
		sheet_column(sheet, headings->name, headings->kind, headings->rank);
}

static void add(struct sheet *sheet, struct cell cell)
{
	sheet->cells = xgrow(sheet->cells, sheet->cell_count, sizeof(cell));
	sheet->cells[sheet->cell_count++] = cell;
}

void sheet_text(struct sheet *sheet, const char *text)
{
	add(sheet, (struct cell){ .is_set = true, .text = xstrdup(text) });
}

void sheet_number(struct sheet *sheet, double number)
{
	add(sheet, (struct cell){ .is_set = true, .number = number });
}

void sheet_nothing(struct sheet *sheet)
{
	add(sheet, (struct cell){ .is_set = false });
}

void sheet_total(struct sheet *sheet)
{
	const size_t size = sheet->column_count * sizeof(*sheet->total);

	sheet->total = xcalloc(1, size);
	sheet->cell_count -= sheet->column_count;
	memcpy(sheet->total, sheet->cells + sheet->cell_count, size);
}

void sheet_note(struct sheet *sheet, const char *format, ...)
{
	va_list args;
	char *note;

	va_start(args, format);
	if (vasprintf(&note, format, args) < 0)
		out_of_memory();
	va_end(args);
	sheet->notes = xgrow(sheet->notes, sheet->note_count, sizeof(*sheet->notes));
	sheet->notes[sheet->note_count++] = note;
}

size_t sheet_rows(const struct sheet *sheet)
{
	return sheet->column_count ? sheet->cell_count / sheet->column_count : 0;
}

const struct cell *sheet_cell(const struct sheet *sheet, size_t row, size_t column)
{
	return &sheet->cells[row * sheet->column_count + column];
}

static void source_text(struct sheet *sheet, const char *name, const char *value)
{
	if (value)
		json_object_object_add(sheet->source, name, json_text(value));
}

/* Some numbers add up over the runs; others come from the first run. */
static void source_number(struct sheet *sheet, const struct record *record, const char *key,
			  bool adds_up)
{
	uint64_t number = 0;

	for (size_t i = 0; i < (adds_up ? record->run_count : 1); i++)
		number += run_info_number(&record->runs[i], key);
	json_object_object_add(sheet->source, key, json_object_new_uint64(number));
}

static void make_source(struct sheet *sheet, const struct record *record, const char *clock,
			const char *modules)
{
	char *features = features_on(record->runs);

	sheet->source = json_object_new_object();
	source_text(sheet, "name", record->name);
	if (record->command)
		json_object_object_add(sheet->source, "command", json_object_get(record->command));
	source_text(sheet, "date", record_fact(record, "date"));
	source_text(sheet, "features", features);
	free(features);
	source_text(sheet, "kernel", record_fact(record, "kernel"));
	source_text(sheet, "runner", record_fact(record, "runner"));
	source_text(sheet, "accelerator", record_fact(record, "accelerator"));
	source_text(sheet, "processor", record_fact(record, "processor"));
	source_text(sheet, "clock", clock);
	source_text(sheet, "modules", modules);
	source_number(sheet, record, "clock_khz", false);
	source_number(sheet, record, "clock_step", false);
	source_number(sheet, record, "overhead", false);
	source_number(sheet, record, "overhead_min", false);
	source_number(sheet, record, "cpus", false);
	json_object_object_add(sheet->source, "timed", json_object_new_uint64(record_timed(record)));
	source_number(sheet, record, "lost", true);
	source_number(sheet, record, "backwards", true);
	source_number(sheet, record, "enabled_ns", true);
	json_object_object_add(sheet->source, "runs", json_object_new_uint64(record->run_count));
}

static char *number_text(const struct sheet *sheet, enum kind kind, double number, bool human);

/* What runs were added up. */
static char *runs_text(const struct record *record)
{
	size_t boots = record->run_count > 1 ? record_boots(record) : 1;

	if (boots > 1)
		return xasprintf("totals of %zu runs of %zu boots", record->run_count, boots);
	return record->run_count > 1 ? xasprintf("totals of %zu runs", record->run_count) : xstrdup("");
}

/* The unit, and what measuring adds to each time, where the kernel has measured that. */
static char *times_title(const struct sheet *sheet, const struct record *record)
{
	double overhead = run_info_number(record->runs, "overhead");
	char *adds, *title;

	if (!overhead && !sheet->scale.step)
		return xasprintf("Times in %s.", sheet->scale.name);
	adds = number_text(sheet, TIMES, overhead, true);
	title = xasprintf("Times in %s; measuring adds %s to each.", sheet->scale.name, adds);
	free(adds);
	return title;
}

static char *machine_title(const struct record *record)
{
	char *const parts[] = { title_kernel(record), title_modules(record), title_settings(record) };

	return title_line(parts, sizeof(parts) / sizeof(*parts));
}

static char *make_title(const struct sheet *sheet, const struct record *record)
{
	char *const work[] = { title_command(record), runs_text(record), title_date(record) };
	char *first = title_line(work, sizeof(work) / sizeof(*work)), *machine = machine_title(record);
	char *times = times_title(sheet, record), *title = xasprintf("%s\n%s\n%s", first, machine, times);

	free(first);
	free(machine);
	free(times);
	return title;
}

static void note_emulation(struct sheet *sheet, const struct record *record)
{
	const char *accelerator = record_fact(record, "accelerator");

	if (accelerator && !strcmp(accelerator, "tcg"))
		sheet_note(sheet, "Software emulation: times mean nothing here, not even as a ranking. "
				  "Counts are exact.");
}

static void note_sampling(struct sheet *sheet, const struct record *record)
{
	if (record_timed(record) > 1)
		sheet_note(sheet, "One call in %ju was timed: times are of these. Calls of hooks, by verdict, error and CPU "
			   "are counted exactly; tables by other things have only the calls that were timed.",
			   (uintmax_t)record_timed(record));
}

static void note_disturbances(struct sheet *sheet, const struct record *record)
{
	for (size_t i = 0; i < record->run_count; i++)
		if (record->runs[i].disturbed)
			sheet_note(sheet, "Not exact, run %zu: %s", i + 1, record->runs[i].disturbed);
}

void sheet_describe(struct sheet *sheet, const struct record *record)
{
	char *clock = run_info(record->runs, "clock");
	char *modules = run_info(record->runs, "modules");
	uint64_t lost = 0, backwards = 0;

	make_source(sheet, record, clock, modules);
	sheet->title = make_title(sheet, record);
	free(clock);
	free(modules);
	note_emulation(sheet, record);
	note_sampling(sheet, record);
	note_disturbances(sheet, record);
	for (size_t i = 0; i < record->run_count; i++) {
		lost += run_info_number(&record->runs[i], "lost");
		backwards += run_info_number(&record->runs[i], "backwards");
	}
	if (lost)
		sheet_note(sheet, "%ju calls are missing: the kernel could not store them (lost)",
			   (uintmax_t)lost);
	if (backwards)
		sheet_note(sheet, "%ju times are missing: the clock went back in them (backwards); their calls are in "
			   "cs_count", (uintmax_t)backwards);
}

void sheet_describe_now(struct sheet *sheet, const struct record *record)
{
	char *times = times_title(sheet, record), *machine = machine_title(record);

	sheet_describe(sheet, record);
	free(sheet->title);
	sheet->title = xasprintf("%s\n%s", machine, times);
	free(machine);
	free(times);
}

void sheet_top(struct sheet *sheet, size_t count)
{
	if (count < sheet_rows(sheet))
		drop_rows_from(sheet, count * sheet->column_count);
}

void sheet_skip(struct sheet *sheet, size_t count)
{
	size_t cells = count * sheet->column_count;

	if (cells > sheet->cell_count)
		cells = sheet->cell_count;
	for (size_t i = 0; i < cells; i++)
		free(sheet->cells[i].text);
	sheet->cell_count -= cells;
	if (cells)
		memmove(sheet->cells, sheet->cells + cells, sheet->cell_count * sizeof(*sheet->cells));
}

/* A step of the clock in the sheet's unit, for the caller to free. */
static char *step_text(const struct sheet *sheet)
{
	return xasprintf("%.*f", sheet->scale.decimals, sheet->scale.step * sheet->scale.per_tick);
}

char *sheet_below_step(const struct sheet *sheet)
{
	char *step = step_text(sheet), *text = xasprintf("%s%s", strtod(step, NULL) ? "<" : "", step);

	free(step);
	return text;
}

static char *number_text(const struct sheet *sheet, enum kind kind, double number, bool human)
{
	if (kind == TIMES && human && number < sheet->scale.step)
		return sheet_below_step(sheet);
	if (kind == TICKS || kind == TIMES)
		number *= sheet->scale.per_tick;
	if (kind == CHANCE)
		return xasprintf(human ? "%.2g" : "%.9g", number);
	if (kind == SECONDS)
		return xasprintf(human ? "%.6f" : "%.9f", number);
	if (!human)
		return xasprintf("%.*f", number == floor(number) ? 0 : 3, number);
	switch (kind) {
	case TICKS:
	case TIMES:
		return xasprintf("%.*f", sheet->scale.decimals, number);
	case REAL:
		return xasprintf("%.1f", number);
	case PERCENT:
		return xasprintf("%.1f%%", number);
	case CHANGE:
		return xasprintf("%+.1f%%", number);
	default:
		return xasprintf("%.0f", number);
	}
}

void sheet_note_step(struct sheet *sheet, double shortest)
{
	char *step;

	if (shortest >= FEW_STEPS * sheet->scale.step)
		return;
	step = step_text(sheet);
	sheet_note(sheet, "The clock moves in steps of %s %s: times of single calls are no more exact than that.", step,
		   sheet->scale.name);
	free(step);
}

char *sheet_cell_text(const struct sheet *sheet, const struct column *column,
		      const struct cell *cell, bool human)
{
	char *text;

	if (!cell->is_set)
		return xstrdup(human ? "-" : "");
	if (column->kind == TEXT)
		return xstrdup(cell->text);
	text = number_text(sheet, column->kind, cell->number, human);
	return human ? with_commas(text) : text;
}

void sheet_print(struct sheet *sheet, const struct style *style, FILE *out)
{
	switch (style->format) {
	case FORMAT_JSON:
		sheet_print_json(sheet, style, out);
		break;
	case FORMAT_CSV:
		sheet_print_csv(sheet, style, out);
		break;
	case FORMAT_MARKDOWN:
		sheet_print_markdown(sheet, out);
		break;
	default:
		sheet_print_text(sheet, style, out);
	}
}
