// SPDX-License-Identifier: GPL-2.0-only
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"

void run_add(struct run *run, const char *name, const char *text)
{
	run->files = xgrow(run->files, run->file_count, sizeof(*run->files));
	run->files[run->file_count++] = (struct run_file){
		.name = xstrdup(name),
		.text = xstrdup(text),
	};
}

void run_free(struct run *run)
{
	for (size_t i = 0; i < run->file_count; i++) {
		free(run->files[i].name);
		free(run->files[i].text);
		table_free(run->files[i].table);
	}
	free(run->files);
	free(run->date);
	free(run->boot);
	free(run->command);
	free(run->disturbed);
}

static struct run_file *find(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->file_count; i++)
		if (!strcmp(run->files[i].name, name))
			return &run->files[i];
	return NULL;
}

const char *run_text(const struct run *run, const char *name)
{
	const struct run_file *file = find(run, name);

	return file ? file->text : NULL;
}

const struct table *run_table(const struct run *run, const char *name)
{
	struct run_file *file = find(run, name);

	if (!file) {
		complain("there is no table '%s': the kernel has none, or the record is of an older one",
			 name);
		return NULL;
	}
	if (!file->table)
		file->table = table_parse(name, file->text);
	return file->table;
}

bool run_has_feature(const struct run *run, const char *feature)
{
	const char *line = run_text(run, "features");
	size_t length = strlen(feature);

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, feature, length) && !strncmp(line + length, " 1", 2))
			return true;
	}
	return false;
}

char *run_info(const struct run *run, const char *key)
{
	const char *line = run_text(run, "info");
	size_t length = strlen(key);

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, length) && line[length] == ':') {
			line += length + 1;
			line += strspn(line, " \t");
			return strndup(line, strcspn(line, "\n"));
		}
	}
	return NULL;
}

uint64_t run_info_number(const struct run *run, const char *key)
{
	char *text = run_info(run, key);
	uint64_t number = 0;

	if (text && parse_number(text, &number))
		number = 0;
	free(text);
	return number;
}
