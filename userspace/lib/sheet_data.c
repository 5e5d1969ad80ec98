// SPDX-License-Identifier: GPL-2.0-only
/* Sheets for programs, with all columns. */

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "sheet.h"

static const char *const kind_names[] = {
	[TEXT] = "text", [COUNT] = "count", [TICKS] = "time", [TIMES] = "time", [SECONDS] = "seconds", [REAL] = "number",
	[PERCENT] = "percent", [CHANGE] = "percent", [CHANCE] = "number",
};

static struct json_object *cell_object(const struct sheet *sheet, const struct column *column,
				       const struct cell *cell)
{
	struct json_object *object;
	char *text;

	if (!cell->is_set)
		return NULL;
	if (column->kind == TEXT)
		return json_text(cell->text);
	/* The text has only the significant digits. */
	text = sheet_cell_text(sheet, column, cell, false);
	object = json_object_new_double_s(cell->number, text);
	free(text);
	return object;
}

static struct json_object *columns_object(const struct sheet *sheet)
{
	const struct cell step = { .is_set = true, .number = sheet->scale.step };
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < sheet->column_count; i++) {
		const struct column *column = &sheet->columns[i];
		struct json_object *one = json_object_new_object();

		json_object_object_add(one, "name", json_object_new_string(column->name));
		json_object_object_add(one, "kind", json_object_new_string(kind_names[column->kind]));
		/* Rounded as the cells are, so that one of a step is no less than it. */
		if (column->kind == TIMES && step.number)
			json_object_object_add(one, "step", cell_object(sheet, column, &step));
		if (column->is_spare)
			json_object_object_add(one, "spare", json_object_new_boolean(true));
		json_object_array_add(all, one);
	}
	return all;
}

static struct json_object *row_object(const struct sheet *sheet, const struct cell *cells)
{
	struct json_object *one = json_object_new_object();

	for (size_t i = 0; i < sheet->column_count; i++)
		json_object_object_add(one, sheet->columns[i].name,
				       cell_object(sheet, &sheet->columns[i], &cells[i]));
	return one;
}

static struct json_object *rows_object(const struct sheet *sheet)
{
	struct json_object *all = json_object_new_array();

	for (size_t row = 0; row < sheet_rows(sheet); row++)
		json_object_array_add(all, row_object(sheet, sheet_cell(sheet, row, 0)));
	return all;
}

struct json_object *sheet_object(const struct sheet *sheet)
{
	struct json_object *object = json_object_new_object();
	struct json_object *notes = json_object_new_array();

	for (size_t i = 0; i < sheet->note_count; i++)
		json_object_array_add(notes, json_text(sheet->notes[i]));
	json_object_object_add(object, "format", json_object_new_string(VIEW_FORMAT));
	json_object_object_add(object, "version", json_object_new_int(VIEW_VERSION));
	json_object_object_add(object, "view", json_object_new_string(sheet->view));
	json_object_object_add(object, "unit", json_object_new_string(sheet->scale.name));
	json_object_object_add(object, "source", json_object_get(sheet->source));
	json_object_object_add(object, "columns", columns_object(sheet));
	json_object_object_add(object, "rows", rows_object(sheet));
	if (sheet->took)
		json_object_object_add(object, "took", json_object_get(sheet->took));
	if (sheet->total)
		json_object_object_add(object, "total", row_object(sheet, sheet->total));
	json_object_object_add(object, "notes", notes);
	return object;
}

void sheet_print_json(const struct sheet *sheet, const struct style *style, FILE *out)
{
	int layout = style->one_line ? JSON_C_TO_STRING_PLAIN : JSON_C_TO_STRING_PRETTY;
	struct json_object *object = sheet_object(sheet);

	fprintf(out, "%s\n", json_object_to_json_string_ext(object, layout | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

/* Quoted as in RFC 4180. */
static void put_csv(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void put_header(const struct sheet *sheet, FILE *out)
{
	for (size_t i = 0; i < sheet->column_count; i++) {
		const struct column *column = &sheet->columns[i];

		fprintf(out, "%s%s", i ? "," : "", column->name);
		if (column->kind == TICKS || column->kind == TIMES)
			fprintf(out, "_%s", sheet->scale.name);
		else if (column->kind == SECONDS)
			fputs("_s", out);
		else if (column->kind == PERCENT || column->kind == CHANGE)
			fputs("_percent", out);
	}
	fputc('\n', out);
}

void sheet_print_csv(const struct sheet *sheet, const struct style *style, FILE *out)
{
	if (!style->continues)
		put_header(sheet, out);
	for (size_t i = 0; i < sheet->cell_count; i++) {
		const struct column *column = &sheet->columns[i % sheet->column_count];
		char *text = sheet_cell_text(sheet, column, &sheet->cells[i], false);

		put_csv(text, out);
		fputc((i + 1) % sheet->column_count ? ',' : '\n', out);
		free(text);
	}
}
