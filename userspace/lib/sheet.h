/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_SHEET_H
#define LSMPMON_SHEET_H

#include <stdbool.h>
#include <stdio.h>

#include "record.h"
#include "unit.h"

/* Of the document that --json prints; schema.json describes it. */
#define VIEW_FORMAT "lsmpmon-view"
#define VIEW_VERSION 1

/* What the cells of a column are. TICKS are given in ticks and shown in the sheet's unit. */
enum kind { TEXT, COUNT, TICKS, REAL, PERCENT, CHANGE, CHANCE };

/**
 * struct column - of a sheet
 * @name: as it is written above it, and in --sort
 * @kind: of its cells
 * @rank: 0: always shown; those of the highest rank go first where there is no room
 * @width: of its widest cell in text
 */
struct column {
	char *name;
	enum kind kind;
	int rank;
	size_t width;
};

/**
 * struct cell - of a sheet
 * @is_set: false: there is nothing to show
 * @text: of TEXT
 * @number: of all others
 */
struct cell {
	bool is_set;
	char *text;
	double number;
};

/**
 * struct sheet - what every view is, before it is printed in one of the formats
 * @view: name of the view
 * @title: a line for humans: on what this was measured; NULL: none
 * @source: the same for programs
 * @scale: unit of TICKS
 */
struct sheet {
	const char *view;
	char *title;
	struct json_object *source;
	struct scale scale;
	struct column *columns;
	size_t column_count;
	struct cell *cells;
	size_t cell_count;
	char **notes;
	size_t note_count;
};

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_MARKDOWN };

/**
 * struct style - how sheets are printed
 * @format: in what
 * @width: columns of the terminal, for text
 * @colour: whether it may have some
 * @one_line: JSON is one, so that a stream of them can be read line by line
 */
struct style {
	enum format format;
	size_t width;
	bool colour;
	bool one_line;
};

void sheet_init(struct sheet *sheet, const char *view, const struct scale *scale);
void sheet_free(struct sheet *sheet);

/* Kernel, clock, modules of the record: its title and source. */
void sheet_describe(struct sheet *sheet, const struct record *record);

void sheet_column(struct sheet *sheet, const char *name, enum kind kind, int rank);

/* Cells are added one after the other, row by row. */
void sheet_text(struct sheet *sheet, const char *text);
void sheet_number(struct sheet *sheet, double number);
void sheet_nothing(struct sheet *sheet);

void sheet_note(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));

size_t sheet_rows(const struct sheet *sheet);
const struct cell *sheet_cell(const struct sheet *sheet, size_t row, size_t column);

/* Numbers from the highest, text from A. 0, or -1 after a complaint: no such column. */
int sheet_sort(struct sheet *sheet, const char *column);

/* Keep the first of the rows. */
void sheet_top(struct sheet *sheet, size_t count);

void sheet_print(struct sheet *sheet, const struct style *style, FILE *out);

/* The formats. */
void sheet_print_text(struct sheet *sheet, const struct style *style, FILE *out);
void sheet_print_json(const struct sheet *sheet, const struct style *style, FILE *out);
void sheet_print_csv(const struct sheet *sheet, FILE *out);
void sheet_print_markdown(const struct sheet *sheet, FILE *out);

/* What JSON has of it, to be put. */
struct json_object *sheet_object(const struct sheet *sheet);

/* A cell as text, to be freed: with separators for humans, without for programs. */
char *sheet_cell_text(const struct sheet *sheet, const struct column *column,
		      const struct cell *cell, bool human);

#endif
