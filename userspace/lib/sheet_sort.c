// SPDX-License-Identifier: GPL-2.0-only
/* Rows of a sheet in the order of a column. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"
#include "nearest.h"
#include "sheet.h"

/* Static, since qsort() takes no argument for its comparison. */
static struct { size_t column; bool is_text; } sorting;

static int compare_cells(const struct cell *a, const struct cell *b)
{
	if (a->is_set != b->is_set)
		return b->is_set - a->is_set;
	if (!a->is_set)
		return 0;
	if (sorting.is_text)
		return strcmp(a->text, b->text);
	return (a->number < b->number) - (a->number > b->number);
}

/* Rows that are equal stay as they are, with the qsort() of every C library. */
static int compare_rows(const void *left, const void *right)
{
	const struct cell *a = *(const struct cell *const *)left, *b = *(const struct cell *const *)right;

	return compare_cells(a + sorting.column, b + sorting.column) ?: (a > b) - (a < b);
}

static void sort_rows(struct sheet *sheet)
{
	const size_t count = sheet_rows(sheet), size = sheet->column_count * sizeof(*sheet->cells);
	const struct cell **rows = xcalloc(count, sizeof(*rows));
	char *sorted = xcalloc(count, size);

	for (size_t row = 0; row < count; row++)
		rows[row] = sheet_cell(sheet, row, 0);
	qsort(rows, count, sizeof(*rows), compare_rows);
	for (size_t row = 0; row < count; row++)
		memcpy(sorted + row * size, rows[row], size);
	memcpy(sheet->cells, sorted, count * size);
	free(sorted);
	free(rows);
}

static int no_column(const struct sheet *sheet, const char *name)
{
	char names[512] = "", *meant;
	struct nearest nearest;

	nearest_begin(&nearest, name);
	for (size_t i = 0; i < sheet->column_count; i++) {
		size_t length = strlen(names);

		snprintf(names + length, sizeof(names) - length, "%s%s", i ? ", " : "",
			 sheet->columns[i].name);
		nearest_try(&nearest, sheet->columns[i].name);
	}
	meant = nearest_text(&nearest);
	complain("--sort '%s': there is no such column here; give one of %s%s", name, names, meant);
	free(meant);
	return -1;
}

int sheet_sort(struct sheet *sheet, const char *column)
{
	for (size_t i = 0; i < sheet->column_count; i++) {
		if (strcmp(sheet->columns[i].name, column))
			continue;
		sorting.column = i;
		sorting.is_text = sheet->columns[i].kind == TEXT;
		if (sheet->cells)
			sort_rows(sheet);
		return 0;
	}
	return no_column(sheet, column);
}
