// SPDX-License-Identifier: GPL-2.0-only
/* Sheets for humans: fitted to the terminal, without colours in a pipe. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "sheet.h"
#include "utf8.h"

#define GAP 2
#define NAME_MIN 12
#define LONG_MIN 24
#define BOLD "\033[1m"
#define DIM "\033[2m"
#define REVERSE "\033[7m"
#define PLAIN "\033[0m"

static void widen(const struct sheet *sheet, struct column *column, const struct cell *cell)
{
	char *text = sheet_cell_text(sheet, column, cell, true);

	if (strlen(text) > column->width)
		column->width = strlen(text);
	free(text);
}

/* Whether it is spare and has only zeros, or nothing. */
static bool is_needless(const struct sheet *sheet, size_t column)
{
	if (!sheet->columns[column].is_spare || (sheet->total && sheet->total[column].number))
		return false;
	for (size_t i = column; i < sheet->cell_count; i += sheet->column_count)
		if (sheet->cells[i].number || sheet->cells[i].text)
			return false;
	return true;
}

/* Without a width, a column is not shown. */
static void measure(struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->column_count; i++)
		sheet->columns[i].width = strlen(sheet->columns[i].name);
	for (size_t i = 0; sheet->total && i < sheet->column_count; i++)
		widen(sheet, &sheet->columns[i], &sheet->total[i]);
	for (size_t i = 0; i < sheet->cell_count; i++)
		widen(sheet, &sheet->columns[i % sheet->column_count], &sheet->cells[i]);
	for (size_t i = 0; i < sheet->column_count; i++)
		if (is_needless(sheet, i))
			sheet->columns[i].width = 0;
}

static size_t width_of(const struct sheet *sheet)
{
	size_t width = 0;

	for (size_t i = 0; i < sheet->column_count; i++)
		if (sheet->columns[i].width)
			width += sheet->columns[i].width + (width ? GAP : 0);
	return width;
}

/* The column to drop next; NULL if all that are left are needed. */
static struct column *least(struct sheet *sheet)
{
	struct column *found = NULL;

	for (size_t i = 0; i < sheet->column_count; i++) {
		struct column *column = &sheet->columns[i];

		if (column->width && column->rank && (!found || column->rank > found->rank))
			found = column;
	}
	return found;
}

/* Cut long text to make room, but leave enough of it to be told from others. */
static void cut_long(struct sheet *sheet, size_t room)
{
	for (size_t i = 0; i < sheet->column_count; i++) {
		struct column *column = &sheet->columns[i];
		size_t width = width_of(sheet), over = width > room ? width - room : 0;

		if (!column->is_long || column->width <= LONG_MIN)
			continue;
		column->width = column->width - LONG_MIN > over ? column->width - over : LONG_MIN;
	}
}

/* Set the width of columns to drop to zero. Cut names as a last resort. */
static void fit(struct sheet *sheet, size_t room)
{
	struct column *column;

	cut_long(sheet, room);
	while (width_of(sheet) > room && (column = least(sheet)))
		column->width = 0;
	column = &sheet->columns[sheet->column_count - 1];
	if (sheet->wraps && width_of(sheet) > room) {
		size_t others = width_of(sheet) - column->width;

		column->width = room > others + NAME_MIN ? room - others : NAME_MIN;
		return;
	}
	for (size_t i = 0; i < sheet->column_count; i++) {
		size_t width = width_of(sheet);

		column = &sheet->columns[i];
		if (column->kind != TEXT || width <= room || column->width <= NAME_MIN)
			continue;
		column->width -= width - room;
		if (column->width < NAME_MIN || column->width > width)
			column->width = NAME_MIN;
	}
}

static void put_text(const char *text, size_t length, FILE *out)
{
	char *copy = xstrndup(text, length);

	utf8_disarm(copy);
	fputs(copy, out);
	free(copy);
}

/* At a blank, or after a comma that is not inside a number. */
static bool may_break(const char *text, size_t at)
{
	return text[at] == ' ' || (text[at - 1] == ',' && !isdigit((unsigned char)text[at]));
}

/* Break lines where that is possible, and begin each but the first with blanks. */
static void put_lines(const char *text, size_t width, int blanks, FILE *out)
{
	while (strlen(text) > width) {
		size_t end = width;

		while (end && !may_break(text, end))
			end--;
		if (!end)
			end = width;
		put_text(text, end, out);
		fprintf(out, "\n%*s", blanks, "");
		text += end + (text[end] == ' ');
	}
	put_text(text, strlen(text), out);
}

static void put_wrapped(const char *text, size_t width, FILE *out)
{
	put_lines(text, width, 0, out);
	fputc('\n', out);
}

static void put_cell(const char *text, const struct column *column, bool is_last, FILE *out)
{
	size_t length = strlen(text);
	int blanks = length < column->width ? column->width - length : 0;

	if (column->kind != TEXT)
		fprintf(out, "%*s", blanks, "");
	if (length > column->width) {
		put_text(text, column->width - 1, out);
		fputc('~', out);
	} else {
		put_text(text, length, out);
	}
	if (column->kind == TEXT && !is_last)
		fprintf(out, "%*s", blanks, "");
}

static size_t last_shown(const struct sheet *sheet)
{
	size_t last = 0;

	for (size_t i = 0; i < sheet->column_count; i++)
		if (sheet->columns[i].width)
			last = i;
	return last;
}

static void put_cells(const struct sheet *sheet, const struct cell *cells, FILE *out)
{
	size_t last = last_shown(sheet);
	bool is_first = true;

	for (size_t i = 0; i <= last; i++) {
		const struct column *column = &sheet->columns[i];
		char *text;

		if (!column->width)
			continue;
		text = cells ? sheet_cell_text(sheet, column, &cells[i], true)
			     : xstrdup(column->name);
		/* Leave no trailing blanks. */
		if (!is_first && (*text || i < last))
			fprintf(out, "%*s", GAP, "");
		if (sheet->wraps && i == last)
			put_lines(text, column->width, width_of(sheet) - column->width, out);
		else
			put_cell(text, column, i == last, out);
		is_first = false;
		free(text);
	}
}

static void put_row(const struct sheet *sheet, const struct cell *cells, FILE *out)
{
	put_cells(sheet, cells, out);
	fputc('\n', out);
}

/* The newline is not in reverse: it would colour the rest of the line. */
static void put_rows(const struct sheet *sheet, FILE *out)
{
	for (size_t row = 0; row < sheet_rows(sheet); row++) {
		const bool is_marked = row + 1 == sheet->marked;

		fputs(is_marked ? REVERSE : "", out);
		put_cells(sheet, sheet_cell(sheet, row, 0), out);
		fputs(is_marked ? PLAIN "\n" : "\n", out);
	}
}

static void put_left_out(const struct sheet *sheet, size_t width, FILE *out)
{
	char *names = NULL, *before;

	for (size_t i = 0; i < sheet->column_count; i++) {
		if (sheet->columns[i].width || is_needless(sheet, i))
			continue;
		before = names;
		names = xasprintf("%s%s%s", before ?: "", before ? ", " : "", sheet->columns[i].name);
		free(before);
	}
	if (!names)
		return;
	before = names;
	names = xasprintf("No room for: %s (--width, --csv and --json have them)", before);
	put_wrapped(names, width, out);
	free(before);
	free(names);
}

static void put_title(const char *title, const struct style *style, FILE *out)
{
	char *lines = xstrdup(title), *rest = lines;

	fputs(style->colour ? DIM : "", out);
	for (char *line; (line = strsep(&rest, "\n"));) {
		if (style->is_screen && strlen(line) > style->width)
			strcpy(line + style->width - 1, "~");
		put_wrapped(line, style->width, out);
	}
	fputs(style->colour ? PLAIN : "", out);
	free(lines);
}

void sheet_print_text(struct sheet *sheet, const struct style *style, FILE *out)
{
	measure(sheet);
	fit(sheet, style->width);
	if (sheet->title && !style->continues)
		put_title(sheet->title, style, out);
	fputs(style->colour ? BOLD : "", out);
	put_row(sheet, NULL, out);
	fputs(style->colour ? PLAIN : "", out);
	if (sheet->total)
		put_row(sheet, sheet->total, out);
	put_rows(sheet, out);
	if (!style->is_screen)
		put_left_out(sheet, style->width, out);
	for (size_t i = 0; i < sheet->note_count; i++)
		put_wrapped(sheet->notes[i], style->width, out);
}
