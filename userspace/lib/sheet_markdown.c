// SPDX-License-Identifier: GPL-2.0-only
/* Sheets for mails and pull requests: tables in GitHub's Markdown, with all columns. */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "sheet.h"
#include "utf8.h"

/* Escape what would end a cell or become a tag or a link. */
static void put_escaped(const char *text, FILE *out)
{
	char *copy = xstrdup(text);

	utf8_disarm(copy);
	for (const char *at = copy; *at; at++) {
		if (strchr("|<>\\`*_[]", *at))
			fputc('\\', out);
		fputc(*at, out);
	}
	free(copy);
}

static void put_header(const struct sheet *sheet, FILE *out)
{
	for (size_t i = 0; i < sheet->column_count; i++) {
		fputs("| ", out);
		put_escaped(sheet->columns[i].name, out);
		fputc(' ', out);
	}
	fputs("|\n", out);
	for (size_t i = 0; i < sheet->column_count; i++)
		fputs(sheet->columns[i].kind == TEXT ? "| --- " : "| ---: ", out);
	fputs("|\n", out);
}

static void put_line(const char *text, FILE *out)
{
	put_escaped(text, out);
	fputs("\n\n", out);
}

static void put_cells(const struct sheet *sheet, const struct cell *cells, size_t count, FILE *out)
{
	for (size_t i = 0; i < count; i++) {
		const struct column *column = &sheet->columns[i % sheet->column_count];
		char *text = sheet_cell_text(sheet, column, &cells[i], true);

		fputs("| ", out);
		put_escaped(text, out);
		fputs((i + 1) % sheet->column_count ? " " : " |\n", out);
		free(text);
	}
}

static void put_title(const char *title, FILE *out)
{
	char *lines = xstrdup(title), *rest = lines;

	for (char *line; (line = strsep(&rest, "\n"));)
		put_line(line, out);
	free(lines);
}

void sheet_print_markdown(const struct sheet *sheet, FILE *out)
{
	if (sheet->title)
		put_title(sheet->title, out);
	put_header(sheet, out);
	if (sheet->total)
		put_cells(sheet, sheet->total, sheet->column_count, out);
	put_cells(sheet, sheet->cells, sheet->cell_count, out);
	fputc('\n', out);
	for (size_t i = 0; i < sheet->note_count; i++)
		put_line(sheet->notes[i], out);
}
