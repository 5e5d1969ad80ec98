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

/* The one that has a number: timed=64. */
#define TIMED "timed"
#define TIMED_ALL "timed 1"
#define TIMED_MAX 65536

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

	for (char *one; (one = next_feature(&line)); free(one)) {
		if (!strcmp(one, TIMED))
			continue;
		before = names;
		names = xasprintf("%s%s%s", before, *before ? "," : "", one);
		free(before);
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

static bool is_timed(const char *item)
{
	return !strncmp(item, TIMED "=", strlen(TIMED "="));
}

/* The number in timed=N, which may be followed by a comma; 1 if the list has none. */
static uint64_t timed_in(const char *list)
{
	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (is_timed(list))
			return strtoull(list + strlen(TIMED "="), NULL, 10);
	}
	return 1;
}

static int check_timed(const char *features, const char *item)
{
	uint64_t number;

	if (!has(features, TIMED))
		return complain("feature '%s': this kernel times every call", item);
	if (parse_number(item + strlen(TIMED "="), &number) || !number || number > TIMED_MAX || number & (number - 1))
		return complain("feature '%s': give a power of two from 1 to %d", item, TIMED_MAX);
	return 0;
}

/* Refuse an unknown name, which would silently measure nothing. */
static int check_list(const char *features, const char *list)
{
	char *known = names_in(features), *copy = xstrdup(list), *rest = copy;
	int error = 0;

	for (char *name; !error && (name = strsep(&rest, ","));)
		if (is_timed(name))
			error = check_timed(features, name);
		else if (*name && (!has(features, name) || !strcmp(name, TIMED)))
			error = complain("feature '%s': this kernel has %s%s; or give all or none", name,
					 known, has(features, TIMED) ? "," TIMED "=N" : "");
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

/* As a list. Every call is timed unless a line says otherwise. */
static char *names_on(const char *features)
{
	char *names = xstrdup(""), *before;

	for (size_t length; *features; features += length + (features[length] == '\n')) {
		size_t name = strcspn(features, " \n");

		length = strcspn(features, "\n");
		if (length <= name + 1 || !strncmp(features + name, " 0", 2) ||
		    (length == strlen(TIMED_ALL) && !strncmp(features, TIMED_ALL, length)))
			continue;
		before = names;
		if (!strncmp(features, TIMED, name))
			names = xasprintf("%s%s" TIMED "=%.*s", before, *before ? "," : "",
					  (int)(length - name - 1), features + name + 1);
		else
			names = xasprintf("%s%s%.*s", before, *before ? "," : "", (int)name, features);
		free(before);
	}
	return names;
}

/* "+module,+stack" or "+module,stack" and what they are added to. The first timed=N counts, so @base is last. */
static char *added(const char *features, const char *list, const char *base)
{
	char *names = base ? spell_out(features, base) : names_on(features), *more = xstrdup(list), *both;
	char *end = more;

	for (const char *from = list; *from; from++)
		if (*from != FEATURES_ADD || (from > list && from[-1] != ','))
			*end++ = *from;
	*end = '\0';
	both = xasprintf("%s,%s", more, names);
	free(names);
	free(more);
	return both;
}

static int write_each(const char *dir, const char *features, const char *list)
{
	int error = 0;

	for (char *name; !error && (name = next_feature(&features));) {
		bool has_number = !strcmp(name, TIMED);
		char *line = xasprintf("%s %ju", name,
				       has_number ? (uintmax_t)timed_in(list) : is_listed(list, name));

		error = monitor_write(dir, "features", line);
		free(line);
		free(name);
	}
	return error;
}

char *features_on(const struct run *run)
{
	return names_on(run_text(run, "features") ?: "");
}

int features_set(const char *dir, const char *list, const char *base)
{
	char *features = monitor_read(dir, "features"), *names;
	int error;

	if (!features)
		return -1;
	names = *list == FEATURES_ADD ? added(features, list, base) : spell_out(features, list);
	error = check_list(features, names) ?: write_each(dir, features, names);
	free(names);
	free(features);
	return error;
}
