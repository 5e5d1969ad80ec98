/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of lsmmon/: a header line with names of columns, then rows
 */

#ifndef LSMMON_TABLE_H
#define LSMMON_TABLE_H

#include "lsmmon.h"

#define MAX_COLUMNS	32

struct table {
	int columns, rows;
	char column[MAX_COLUMNS][NAME_LENGTH];
	char (*cell)[MAX_COLUMNS][NAME_LENGTH];
};

/* Columns whose sums over the rows of a hook are the same in all tables of its calls. */
static const char *const table_sums[] = {
	"count", "cs_count", "sum", "irq_time", "cs_sum", "cs_own", "slept", "preempted",
	"unknown",
};

#define TABLE_SUMS	(sizeof(table_sums) / sizeof(*table_sums))

static inline int table_split(char *line, char cell[MAX_COLUMNS][NAME_LENGTH])
{
	char *word, *save = NULL;
	int n = 0;

	for (word = strtok_r(line, " \n", &save); word && n < MAX_COLUMNS;
	     word = strtok_r(NULL, " \n", &save))
		snprintf(cell[n++], NAME_LENGTH, "%s", word);
	return n;
}

static inline void table_free(struct table *t)
{
	free(t->cell);
	memset(t, 0, sizeof(*t));
}

/* Read a file of lsmmon/; -1 if it cannot be read or has an odd row. */
static inline int table_read(struct table *t, const char *file)
{
	char path[128], line[1024];
	int n, room = 0, err = 0;
	FILE *f;

	table_free(t);
	snprintf(path, sizeof(path), LSMMON "%s", file);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (!fgets(line, sizeof(line), f))
		err = -1;
	else
		t->columns = table_split(line, t->column);
	while (!err && fgets(line, sizeof(line), f)) {
		if (t->rows == room) {
			room = room ? 2 * room : 256;
			t->cell = realloc(t->cell, room * sizeof(*t->cell));
		}
		n = table_split(line, t->cell[t->rows++]);
		if (n != t->columns && n != 1)
			err = -1;
		/* A row may have only its name. */
		for (; n < t->columns; n++)
			t->cell[t->rows - 1][n][0] = '\0';
	}
	fclose(f);
	return err;
}

/* The index of a column; -1 if there is none of that name. */
static inline int table_column(const struct table *t, const char *name)
{
	int i;

	for (i = 0; i < t->columns; i++)
		if (!strcmp(t->column[i], name))
			return i;
	return -1;
}

static inline const char *table_text(const struct table *t, int row,
				     const char *column)
{
	int i = table_column(t, column);

	return i < 0 ? "" : t->cell[row][i];
}

static inline unsigned long long table_number(const struct table *t, int row,
					      const char *column)
{
	return strtoull(table_text(t, row, column), NULL, 10);
}

/* The sum of a column over the rows of one hook; of all if @hook is NULL. */
static inline unsigned long long table_sum(const struct table *t,
					   const char *hook, const char *column)
{
	unsigned long long sum = 0;
	int row;

	for (row = 0; row < t->rows; row++)
		if (!hook || !strcmp(table_text(t, row, "hook"), hook))
			sum += table_number(t, row, column);
	return sum;
}

/* Number of calls of a hook, with and without a switch; of all if it is NULL. */
static inline unsigned long long table_total(const struct table *t,
					     const char *hook)
{
	return table_sum(t, hook, "count") + table_sum(t, hook, "cs_count");
}

/* The sum of a column over the rows where another one has a given value. */
static inline unsigned long long table_sum_where(const struct table *t,
						 const char *hook,
						 const char *where,
						 const char *value,
						 const char *column)
{
	unsigned long long sum = 0;
	int row;

	for (row = 0; row < t->rows; row++)
		if (!strcmp(table_text(t, row, "hook"), hook) &&
		    !strcmp(table_text(t, row, where), value))
			sum += table_number(t, row, column);
	return sum;
}

/* Number of calls in those rows. */
static inline unsigned long long table_calls(const struct table *t,
					     const char *hook,
					     const char *where,
					     const char *value)
{
	return table_sum_where(t, hook, where, value, "count") +
	       table_sum_where(t, hook, where, value, "cs_count");
}

#endif /* LSMMON_TABLE_H */
