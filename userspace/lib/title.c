// SPDX-License-Identifier: GPL-2.0-only
/* Titles of views: what was measured, and where and how. */

#include "title.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "feature.h"

/* Longer commands are cut. */
#define COMMAND_MAX 200
/* As in 2026-11-28T09:58, without the seconds. */
#define MINUTES 16
/* 2026-11-28 and what is between it and the time. */
#define DAY 11

/* Records were written to a file, the monitor itself was not. */
static bool is_live(const struct record *record)
{
	return !record->runs->boot;
}

/* A command or the name of a file may have several lines. A blank stands for as many as there are. */
static char *one_line(char *text)
{
	char *end = text;

	for (const char *c = text; *c; c++) {
		const bool is_blank = *c == ' ' || *c == '\n' || *c == '\t';

		if (!is_blank)
			*end++ = *c;
		else if (end > text && end[-1] != ' ')
			*end++ = ' ';
	}
	*end = '\0';
	return text;
}

char *title_line(char *const *parts, size_t count)
{
	char *line = xstrdup(""), *before;

	for (size_t i = 0; i < count; i++) {
		before = line;
		line = xasprintf("%s%s%s", before, *before && *parts[i] ? "; " : "", parts[i]);
		free(before);
		free(parts[i]);
	}
	return one_line(line);
}

/* As in a shell, so that words can be told apart. */
static char *with_word(char *text, const char *word)
{
	const char *quote = *word && !strpbrk(word, " \t\n\"'\\$;&|<>()*?") ? "" : "'";
	char *longer = xasprintf("%s%s%s%s%s", text, *text ? " " : "", quote, word, quote);

	free(text);
	return longer;
}

/* Not inside a character of UTF-8. */
static void cut(char *text)
{
	size_t end = COMMAND_MAX - strlen("...");

	if (strlen(text) <= COMMAND_MAX)
		return;
	while (end && (text[end] & 0xC0) == 0x80)
		end--;
	strcpy(text + end, "...");
}

static char *words_text(struct json_object *words)
{
	char *text = xstrdup("");

	for (size_t i = 0; i < json_object_array_length(words) && strlen(text) <= COMMAND_MAX; i++)
		text = with_word(text, json_object_get_string(json_object_array_get_idx(words, i)) ?: "");
	cut(text);
	return one_line(text);
}

/* The line of the filter that begins with this letter and has a name, without the letter; NULL if there is none. */
static char *filter_name(const struct record *record, char letter)
{
	const char *line = run_text(record->runs, "filter") ?: "";

	for (size_t length; *line; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		if (*line == letter && length > 2)
			return xstrndup(line + 2, length - 2);
	}
	return NULL;
}

/* Records of different commands can be added up. */
static bool has_one_command(const struct record *record)
{
	const char *first = record->runs->command;

	for (size_t i = 1; i < record->run_count; i++)
		if (strcmp(record->runs[i].command ?: "", first ?: ""))
			return false;
	return true;
}

/* Without a command, it was a process or everything. */
static char *process_text(const struct record *record)
{
	char *process = filter_name(record, 'p'), *text;

	if (!process)
		return xstrdup("the whole system");
	text = xasprintf("process %d and those it starts", atoi(process));
	free(process);
	return text;
}

char *title_command(const struct record *record)
{
	if (is_live(record))
		return xstrdup("all that was counted until now");
	if (!has_one_command(record))
		return xstrdup("several commands");
	if (record->command && json_object_array_length(record->command))
		return words_text(record->command);
	return process_text(record);
}

/* From 2026-11-28T09:58:12Z. */
static char *minutes(const char *date)
{
	char *text = xstrndup(date, MINUTES), *t = strchr(text, 'T');

	if (t)
		*t = ' ';
	return text;
}

static char *date_text(const char *first, const char *last)
{
	char *from, *until, *text;

	if (!first)
		return xstrdup("");
	from = minutes(first);
	until = minutes(last);
	if (!strcmp(from, until))
		text = xasprintf("%s UTC", from);
	else
		text = xasprintf("%s to %s UTC", from, strncmp(from, until, DAY) ? until : until + DAY);
	free(from);
	free(until);
	return text;
}

/* Where instructions are counted, the guest's clock begins at the same moment in each boot. */
static bool has_clock(const struct record *record)
{
	const char *accelerator = record_fact(record, "accelerator");

	return !accelerator || strcmp(accelerator, "icount");
}

char *title_date(const struct record *record)
{
	const char *now = record_fact(record, "date"), *first = NULL, *last = NULL;

	if (!has_clock(record))
		return xstrdup("");
	for (size_t i = 0; i < record->run_count; i++) {
		const char *date = record->runs[i].date;

		if (date && (!first || strcmp(date, first) < 0))
			first = date;
		if (date && (!last || strcmp(date, last) > 0))
			last = date;
	}
	return first ? date_text(first, last) : date_text(now, now);
}

char *title_kernel(const struct record *record)
{
	const char *kernel = record_fact(record, "kernel"), *runner = record_fact(record, "runner");
	const char *accelerator = record_fact(record, "accelerator");

	if (!kernel)
		kernel = "?";
	if (accelerator && (!runner || strcmp(accelerator, "none")))
		return xasprintf("Linux %s%s%s (%s)", kernel, runner ? " on " : "", runner ?: "", accelerator);
	return xasprintf("Linux %s%s%s", kernel, runner ? " on " : "", runner ?: "");
}

char *title_modules(const struct record *record)
{
	return run_info(record->runs, "modules") ?: xstrdup("modules unknown");
}

/* Every line that is not of a number ends in 1. */
static bool has_all_features(const struct record *record)
{
	const char *features = run_text(record->runs, "features");

	return *features && !strstr(features, " 0\n");
}

static char *features_text(const struct record *record)
{
	char *features, *text;

	if (!run_text(record->runs, "features"))
		return xstrdup("");
	if (has_all_features(record) && record_timed(record) == 1)
		return xstrdup("all features");
	features = features_on(record->runs);
	text = *features ? xasprintf("features %s", features) : xstrdup("no features");
	free(features);
	return text;
}

static char *selected(const struct record *record, char letter, const char *what)
{
	char *name = filter_name(record, letter), *text = name ? xasprintf("only %s '%s'", what, name) : xstrdup("");

	free(name);
	return text;
}

/* That of processes is in the command, except of the monitor as it is now. */
char *title_settings(const struct record *record)
{
	char *const parts[] = {
		features_text(record), selected(record, 's', "tasks"), selected(record, 'o', "calls on"),
		is_live(record) ? selected(record, 'p', "processes") : xstrdup(""),
	};

	return title_line(parts, sizeof(parts) / sizeof(*parts));
}
