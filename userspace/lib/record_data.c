// SPDX-License-Identifier: GPL-2.0-only
#include "record_data.h"

#include <json-c/printbuf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"
#include "json.h"
#include "table.h"

/* Columns of names: one that is all digits, as a command may be called, is not a number. */
static const char *const names[] = {
	"cgroup", "comm", "errno", "error", "hook", "kind", "module", "modules", "object", "objects", "outer", "syscall", "tid",
	"verdict",
};

/* Files that are not tables. What stands behind a key is after a colon in one, and after a blank in the other. */
static const struct { const char *name, *between; } keyed[] = { { "info", ": " }, { "features", " " } };
static const char *const texts[] = { "control", "filter", "session" };

static bool is_in(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

/* NULL for a file without keys. */
static const char *between_in(const char *file)
{
	for (size_t i = 0; i < sizeof(keyed) / sizeof(*keyed); i++)
		if (!strcmp(keyed[i].name, file))
			return keyed[i].between;
	return NULL;
}

/* One that is written in another way than it would be read back stays a word. */
static bool is_number(const char *word)
{
	uint64_t number;

	return !parse_number(word, &number) && (*word != '0' || !word[1]);
}

static struct json_object *word_object(const char *word)
{
	return is_number(word) ? json_object_new_uint64(strtoull(word, NULL, 10)) : json_text(word);
}

/*
 * A time that is not known is "-" among others that are. A process is a number in `slowest`; with threads, it may be "-" or
 * "other".
 */
static bool is_of_names(const struct table *table, size_t column)
{
	if (is_in(table->columns[column], names, sizeof(names) / sizeof(*names)))
		return true;
	if (!strcmp(table->columns[column], "pid") && table_find(table, "tid") >= 0)
		return true;
	for (size_t row = 0; row < table->row_count; row++) {
		const char *word = table_text(table, row, column);

		if (word && strcmp(word, "-") && !is_number(word))
			return true;
	}
	return false;
}

/* On one line, however the rest is printed. */
static int print_column(struct json_object *column, struct printbuf *buffer, int level, int flags)
{
	size_t count = json_object_array_length(column);

	(void)level;
	printbuf_memappend(buffer, "[", 1);
	for (size_t i = 0; i < count; i++) {
		const char *text = json_object_to_json_string_ext(json_object_array_get_idx(column, i),
								  JSON_C_TO_STRING_PLAIN |
								  (flags & JSON_C_TO_STRING_NOSLASHESCAPE));

		printbuf_memappend(buffer, text, strlen(text));
		printbuf_memappend(buffer, ",", i + 1 < count);
	}
	return printbuf_memappend(buffer, "]", 1);
}

static struct json_object *column_object(const struct table *table, size_t column)
{
	const bool has_names = is_of_names(table, column);
	struct json_object *cells = json_object_new_array();

	json_object_set_serializer(cells, print_column, NULL, NULL);
	for (size_t row = 0; row < table->row_count; row++) {
		const char *word = table_text(table, row, column);

		if (!word)
			json_object_array_add(cells, NULL);
		else
			json_object_array_add(cells, has_names ? json_text(word) : word_object(word));
	}
	return cells;
}

static struct json_object *table_object(const struct table *table)
{
	struct json_object *object = json_object_new_object();

	for (size_t i = 0; i < table->column_count; i++)
		json_object_object_add(object, table->columns[i], column_object(table, i));
	return object;
}

/* NULL if a line has no value. */
static struct json_object *keys_object(const char *text, const char *between)
{
	struct json_object *object = json_object_new_object();
	char *lines = xstrdup(text), *rest = lines;

	for (char *line; (line = strsep(&rest, "\n"));) {
		char *value = strstr(line, between);

		if (!*line)
			continue;
		if (!value) {
			json_object_put(object);
			object = NULL;
			break;
		}
		*value = '\0';
		value += strlen(between);
		json_object_object_add(object, line, word_object(value + strspn(value, " \t")));
	}
	free(lines);
	return object;
}

static bool is_text(const char *file)
{
	return is_in(file, texts, sizeof(texts) / sizeof(*texts));
}

void record_data_add(struct json_object *object, const struct run *run)
{
	struct json_object *tables = json_object_new_object(), *keys = json_object_new_object();
	struct json_object *files = json_object_new_object();

	for (size_t i = 0; i < run->file_count; i++) {
		const char *file = run->files[i].name, *text = run->files[i].text, *between = between_in(file);
		struct json_object *found = between ? keys_object(text, between) : NULL;
		const struct table *table = between || is_text(file) || !*text ? NULL : run_table(run, file);

		if (found)
			json_object_object_add(keys, file, found);
		else if (table)
			json_object_object_add(tables, file, table_object(table));
		else
			json_object_object_add(files, file, json_text(text));
	}
	json_object_object_add(object, "tables", tables);
	json_object_object_add(object, "keys", keys);
	json_object_object_add(object, "files", files);
}

/* A word of a line: a blank in it would make two. */
static bool is_word(struct json_object *cell)
{
	const char *word = json_object_get_string(cell);

	if (json_object_is_type(cell, json_type_int))
		return *word != '-';
	return json_object_is_type(cell, json_type_string) && *word && !word[strcspn(word, " \t\n")];
}

static FILE *text_begin(char **text, size_t *length)
{
	FILE *out = open_memstream(text, length);

	if (!out)
		out_of_memory();
	return out;
}

/* A line may end early, but has no gap. Returns whether it was one. */
static bool put_line(struct json_object *table, size_t row, FILE *out)
{
	bool has_ended = false, is_first = true;

	json_object_object_foreach(table, name, column) {
		struct json_object *cell = json_object_array_get_idx(column, row);

		(void)name;
		if (!cell) {
			has_ended = true;
			continue;
		}
		if (has_ended || !is_word(cell))
			return false;
		fprintf(out, "%s%s", is_first ? "" : " ", json_object_get_string(cell));
		is_first = false;
	}
	fputc('\n', out);
	return !is_first;
}

/* Returns how many rows the table has, or -1 if it is none. */
static long put_header(struct json_object *table, FILE *out)
{
	long rows = -1;

	json_object_object_foreach(table, name, column) {
		if (!*name || name[strcspn(name, " \t\n")] || !json_object_is_type(column, json_type_array) ||
		    (rows >= 0 && rows != (long)json_object_array_length(column)))
			return -1;
		fprintf(out, "%s%s", rows < 0 ? "" : " ", name);
		rows = json_object_array_length(column);
	}
	fputc('\n', out);
	return rows;
}

static bool put_table(struct json_object *table, FILE *out)
{
	long rows = put_header(table, out);

	for (long row = 0; row < rows; row++)
		if (!put_line(table, row, out))
			return false;
	return rows >= 0;
}

static bool put_keys(struct json_object *keys, const char *between, FILE *out)
{
	json_object_object_foreach(keys, key, value) {
		if (json_object_get_type(value) != json_type_int && json_object_get_type(value) != json_type_string)
			return false;
		fprintf(out, "%s%s%s\n", key, between, json_object_get_string(value));
	}
	return true;
}

/* As the kernel writes it, which all that reads tables takes. */
static bool add_file(struct run *run, const char *file, struct json_object *data, bool is_table)
{
	const char *between = between_in(file);
	size_t length;
	char *text;
	FILE *out = text_begin(&text, &length);
	bool is_right = json_object_is_type(data, json_type_object) &&
			(is_table ? put_table(data, out) : between && put_keys(data, between, out));

	fclose(out);
	if (is_right)
		run_add(run, file, text);
	free(text);
	return is_right;
}

static const char *read_data(struct run *run, struct json_object *object, const char *member, bool is_table)
{
	struct json_object *files;

	if (!json_object_object_get_ex(object, member, &files))
		return NULL;
	if (!json_object_is_type(files, json_type_object))
		return is_table ? "\"tables\" of a run are not an object" : "\"keys\" of a run are not an object";
	json_object_object_foreach(files, file, data)
		if (!add_file(run, file, data, is_table))
			return is_table ? "a table in \"tables\" is not columns of the same length, without gaps" :
					  "a file in \"keys\" is not values by their keys";
	return NULL;
}

static const char *read_texts(struct run *run, struct json_object *object)
{
	struct json_object *files;

	if (!json_object_object_get_ex(object, "files", &files) || !json_object_is_type(files, json_type_object))
		return "a run has no \"files\"";
	json_object_object_foreach(files, file, text) {
		if (!json_object_is_type(text, json_type_string))
			return "a file in \"files\" is not text";
		run_add(run, file, json_object_get_string(text));
	}
	return NULL;
}

const char *record_data_read(struct run *run, struct json_object *object)
{
	return read_data(run, object, "tables", true) ?: read_data(run, object, "keys", false) ?: read_texts(run, object);
}
