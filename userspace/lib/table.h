/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TABLE_H
#define LSMPMON_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Of a file of lsmmon/; what has more is something else. */
#define TABLE_COLUMNS_MAX 64

/**
 * struct table - a file of lsmmon/: a line with the names of columns, and one for each record
 * @name: of the file, for complaints
 * @text: what @columns and @cells point into
 * @columns: their names
 * @column_count: how many they are
 * @cells: row by row; NULL where a line ends early
 * @row_count: how many lines there are after the first
 */
struct table {
	char *name;
	char *text;
	char *columns[TABLE_COLUMNS_MAX];
	size_t column_count;
	char **cells;
	size_t row_count;
};

/* NULL, after a complaint, for a text that is no table. */
struct table *table_parse(const char *name, const char *text);
void table_free(struct table *table);

/* Which column has that name; -1 without complaint: none. Others may be there, in any order. */
int table_find(const struct table *table, const char *column);

/* As table_find(), with a complaint: whoever asks cannot do without. */
int table_need(const struct table *table, const char *column);

/* NULL: the line ended early. */
const char *table_text(const struct table *table, size_t row, int column);

/* 0, or -1 after a complaint. A column of -1 and a line that ended early are 0. */
int table_number(const struct table *table, size_t row, int column, uint64_t *number);

/* A decimal number and nothing else: 0, else -1 without complaint. */
int parse_number(const char *text, uint64_t *number);

#endif
