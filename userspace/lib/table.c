// SPDX-License-Identifier: GPL-2.0-only
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"

#define BLANKS " \t"

int parse_number(const char *text, uint64_t *number)
{
	char *end;

	/* strtoull() accepts a sign and leading blanks, which are errors here. */
	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return errno || *end ? -1 : 0;
}

static int parse_columns(struct table *table, char *line)
{
	char *rest = line;

	for (char *word; (word = strsep(&rest, BLANKS));) {
		if (!*word)
			continue;
		if (table->column_count == TABLE_COLUMNS_MAX)
			return complain("%s: more than %d columns: this is not a file of lsmmon/",
					table->name, TABLE_COLUMNS_MAX);
		table->columns[table->column_count++] = word;
	}
	if (!table->column_count)
		return complain("%s: empty; its first line should name the columns", table->name);
	return 0;
}

static int parse_row(struct table *table, char *line)
{
	size_t row = table->row_count++, column = 0;
	char *rest = line;

	for (char *word; (word = strsep(&rest, BLANKS));) {
		if (!*word)
			continue;
		if (column == table->column_count)
			return complain("%s: line %zu has more values than the %zu columns",
					table->name, row + 2, table->column_count);
		table->cells[row * table->column_count + column++] = word;
	}
	if (!column)
		table->row_count--;
	return 0;
}

static size_t lines_in(const char *text)
{
	size_t lines = 1;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

static int parse(struct table *table)
{
	size_t room = lines_in(table->text);
	char *rest = table->text;

	if (parse_columns(table, strsep(&rest, "\n")))
		return -1;
	table->cells = xcalloc(room, table->column_count * sizeof(*table->cells));
	for (char *line; (line = strsep(&rest, "\n"));)
		if (parse_row(table, line))
			return -1;
	return 0;
}

struct table *table_parse(const char *name, const char *text)
{
	struct table *table = xcalloc(1, sizeof(*table));

	table->name = xstrdup(name);
	table->text = xstrdup(text);
	if (!parse(table))
		return table;
	table_free(table);
	return NULL;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	free(table->name);
	free(table->text);
	free(table->cells);
	free(table);
}

int table_find(const struct table *table, const char *column)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (!strcmp(table->columns[i], column))
			return i;
	return -1;
}

int table_need(const struct table *table, const char *column)
{
	int found = table_find(table, column);

	return found < 0 ? complain("%s: there is no column '%s'", table->name, column) : found;
}

const char *table_text(const struct table *table, size_t row, int column)
{
	return table->cells[row * table->column_count + column];
}

int table_number(const struct table *table, size_t row, int column, uint64_t *number)
{
	const char *text = column < 0 ? NULL : table_text(table, row, column);

	*number = 0;
	if (!text || !parse_number(text, number))
		return 0;
	return complain("%s: record %zu: %s is '%.40s'; it should be a whole number", table->name,
			row + 1, table->columns[column], text);
}
