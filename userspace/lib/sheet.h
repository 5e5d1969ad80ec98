/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_SHEET_H
#define LSMPMON_SHEET_H

#include <stdbool.h>
#include <stdio.h>

#include "record.h"
#include "unit.h"

/* Format of the document that --json prints; schema/view.json describes it. */
#define VIEW_FORMAT "lsmpmon-view"
#define VIEW_VERSION 1

/*
 * Type of a column's cells. TICKS are given in ticks and shown in the sheet's unit; TIMES are ticks of single calls,
 * which are multiples of the clock's step.
 */
enum kind { TEXT, COUNT, TICKS, TIMES, SECONDS, REAL, PERCENT, CHANGE, CHANCE };

/**
 * struct column - a column of a sheet
 * @name: its header, also for --sort
 * @kind: type of its cells
 * @rank: 0 if always shown; where there is no room, the highest rank goes first
 * @width: width of its widest cell as text
 * @is_spare: people need not see it if it has only zeros, or nothing
 * @is_long: its text may be long, and is cut before there is no room for others
 */
struct column {
	char *name;
	enum kind kind;
	int rank;
	size_t width;
	bool is_spare;
	bool is_long;
};

/**
 * struct heading - the fixed part of a column
 * @name: as in struct column, like the others
 */
struct heading {
	const char *name;
	enum kind kind;
	int rank;
};

/**
 * struct cell - a cell of a sheet
 * @is_set: whether there is anything to show
 * @text: value of a TEXT cell
 * @number: value of any other cell
 */
struct cell {
	bool is_set;
	char *text;
	double number;
};

/**
 * struct sheet - the table of a view, to be printed in one of the formats
 * @view: name of the view
 * @title: what this was measured on, for humans, in one line or several; NULL for none
 * @source: the same for programs
 * @scale: unit of TICKS
 * @wraps: the last column, which is text, is broken into lines instead of cut off
 * @took: what all hooks took, for programs; NULL if that is not shown
 * @total: cells of a row above all others, which is neither sorted nor cut off nor data; NULL for none
 * @marked: number of a row that text shows in reverse, from 1; 0 for none
 */
struct sheet {
	const char *view;
	char *title;
	struct json_object *source;
	struct json_object *took;
	bool wraps;
	struct scale scale;
	struct column *columns;
	size_t column_count;
	struct cell *cells;
	size_t cell_count;
	struct cell *total;
	char **notes;
	size_t note_count;
	size_t marked;
};

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_MARKDOWN };

/**
 * struct style - how to print sheets
 * @format: the output format
 * @width: width of the terminal, for text
 * @colour: use colours
 * @one_line: print JSON on one line, so that a stream can be read line by line
 * @continues: text without title and CSV without header, which were printed before
 * @is_screen: each line of the title is cut instead of broken, and nothing is said of columns without room
 */
struct style {
	enum format format;
	size_t width;
	bool colour;
	bool one_line;
	bool continues;
	bool is_screen;
};

void sheet_init(struct sheet *sheet, const char *view, const struct scale *scale);
void sheet_free(struct sheet *sheet);

/* Set title and source from the record: what was measured, when, on what kernel and how, and the unit of times. */
void sheet_describe(struct sheet *sheet, const struct record *record);

/* The same for what is of this moment: without what was measured, and when. */
void sheet_describe_now(struct sheet *sheet, const struct record *record);

void sheet_column(struct sheet *sheet, const char *name, enum kind kind, int rank);

/* Add a column that text does not have if it has only zeros, or nothing. */
void sheet_spare_column(struct sheet *sheet, const char *name, enum kind kind, int rank);

/* Add a column of text that may be long. */
void sheet_long_column(struct sheet *sheet, const char *name);

/* Add several columns, up to one without a name. */
void sheet_columns(struct sheet *sheet, const struct heading *headings);

/* Add cells one after another, row by row. */
void sheet_text(struct sheet *sheet, const char *text);
void sheet_number(struct sheet *sheet, double number);
void sheet_nothing(struct sheet *sheet);

/* Make the last row that was added the total. */
void sheet_total(struct sheet *sheet);

void sheet_note(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Say how exact times of single calls are, if the shortest of them, in ticks, has only a few steps of the clock. */
void sheet_note_step(struct sheet *sheet, double shortest);

/* What a time that a clock shows as less than a step may be, for the caller to free. */
char *sheet_below_step(const struct sheet *sheet);

size_t sheet_rows(const struct sheet *sheet);
const struct cell *sheet_cell(const struct sheet *sheet, size_t row, size_t column);

/* Sort numbers descending, text ascending. Returns 0, or -1 after a complaint if there is no such column. */
int sheet_sort(struct sheet *sheet, const char *column);

/* Keep only the first rows. */
void sheet_top(struct sheet *sheet, size_t count);

/* Leave out the first rows. */
void sheet_skip(struct sheet *sheet, size_t count);

void sheet_print(struct sheet *sheet, const struct style *style, FILE *out);

/* Output formats. */
void sheet_print_text(struct sheet *sheet, const struct style *style, FILE *out);
void sheet_print_json(const struct sheet *sheet, const struct style *style, FILE *out);
void sheet_print_csv(const struct sheet *sheet, const struct style *style, FILE *out);
void sheet_print_markdown(const struct sheet *sheet, FILE *out);

/* The sheet as JSON; the caller releases it with json_object_put(). */
struct json_object *sheet_object(const struct sheet *sheet);

/* A cell as text, for the caller to free: with thousands separators for humans, without for programs. */
char *sheet_cell_text(const struct sheet *sheet, const struct column *column,
		      const struct cell *cell, bool human);

#endif
