// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel can measure besides hooks, and which of it is on. */

#include "feature.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"
#include "monitor.h"
#include "run.h"

/* The next name in `features`, for the caller to free; NULL at its end. */
static char *next_feature(const char **line)
{
	size_t length = strcspn(*line, " \n");
	char *name = length ? xstrndup(*line, length) : NULL;

	*line += strcspn(*line, "\n");
	*line += **line == '\n';
	return name;
}

static bool has(const char *line, const char *name)
{
	bool found = false;

	for (char *one; !found && (one = next_feature(&line));) {
		found = !strcmp(one, name);
		free(one);
	}
	return found;
}

static char *names_in(const char *line)
{
	char *names = xstrdup(""), *before;

	for (char *one; (one = next_feature(&line));) {
		before = names;
		names = xasprintf("%s%s%s", before, *before ? "," : "", one);
		free(before);
		free(one);
	}
	return names;
}

static bool is_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (;; list++) {
		if (!strncmp(list, name, length) && (!list[length] || list[length] == ','))
			return true;
		list = strchr(list, ',');
		if (!list)
			return false;
	}
}

/* Refuse an unknown name, which would silently measure nothing. */
static int check_list(const char *features, const char *list)
{
	char *known = names_in(features), *copy = xstrdup(list), *rest = copy;
	int error = 0;

	for (char *name; !error && (name = strsep(&rest, ","));)
		if (*name && !has(features, name))
			error = complain("feature '%s': this kernel has %s; or give all or none", name,
					 known);
	free(copy);
	free(known);
	return error;
}

/* Expand the words that stand for a list. */
static char *spell_out(const char *features, const char *list)
{
	if (!strcmp(list, FEATURES_ALL))
		return names_in(features);
	if (strcmp(list, FEATURES_DEFAULT))
		return xstrdup(strcmp(list, "none") ? list : "");
	return xasprintf("%s,%s", has(features, "syscall") ? "syscall" : "",
			 has(features, "histogram") ? "histogram" : "");
}

static int write_each(const char *dir, const char *features, const char *list)
{
	int error = 0;

	for (char *name; !error && (name = next_feature(&features));) {
		char *line = xasprintf("%s %d", name, is_listed(list, name));

		error = monitor_write(dir, "features", line);
		free(line);
		free(name);
	}
	return error;
}

/* What needs the feature. */
static const char *question_of(const char *feature)
{
	static const struct { const char *feature, *question; } questions[] = {
		{ "module", "--by module" }, { "syscall", "--by syscall" },
		{ "histogram", "hist, --quantiles" }, { "calls", "the share of each system call" },
		{ "stack", "modules in --folded and --html" }, { "comm", "--by comm" },
		{ "cgroup", "--by cgroup" },
	};

	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
		if (!strcmp(feature, questions[i].feature))
			return questions[i].question;
	return "for a newer lsmpmon";
}

char *features_missing(const struct run *run)
{
	const char *lines = run_text(run, "features") ?: "";
	char *names = NULL, *before;

	for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n') {
		size_t length = strcspn(lines, " ");
		char *name = xstrndup(lines, length);

		before = names;
		if (!strncmp(lines + length, " 0", 2)) {
			names = xasprintf("%s%s%s (%s)", before ?: "", before ? ", " : "", name,
					  question_of(name));
			free(before);
		}
		free(name);
	}
	return names;
}

int features_set(const char *dir, const char *list)
{
	char *features = monitor_read(dir, "features"), *names;
	int error;

	if (!features)
		return -1;
	names = spell_out(features, list);
	error = check_list(features, names) ?: write_each(dir, features, names);
	free(names);
	free(features);
	return error;
}
