/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TABLE_H
#define LSMPMON_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Limit of columns; no file in lsmmon/ has as many. */
#define TABLE_COLUMNS_MAX 64

/**
 * struct table - a file in lsmmon/: a line with the names of the columns, then a line per record
 * @name: name of the file, for complaints
 * @text: the text that @columns and @cells point into
 * @columns: names of the columns
 * @column_count: number of columns
 * @cells: row by row; NULL where a line ends early
 * @row_count: number of lines after the first
 */
struct table {
	char *name;
	char *text;
	char *columns[TABLE_COLUMNS_MAX];
	size_t column_count;
	char **cells;
	size_t row_count;
};

/* Parse a table. Returns NULL after a complaint if the text is not one. */
struct table *table_parse(const char *name, const char *text);
void table_free(struct table *table);

/* The index of a column, or -1 without a complaint. There may be other columns, in any order. */
int table_find(const struct table *table, const char *column);

/* Like table_find(), with a complaint. */
int table_need(const struct table *table, const char *column);

/* A cell; NULL if the line ended early. */
const char *table_text(const struct table *table, size_t row, int column);

/* A cell as a number; 0 for column -1 and where the line ended early. Returns 0, or -1 after a complaint. */
int table_number(const struct table *table, size_t row, int column, uint64_t *number);

/* Parse a decimal number and nothing else. Returns 0, or -1 without a complaint. */
int parse_number(const char *text, uint64_t *number);

#endif
