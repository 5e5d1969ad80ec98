// SPDX-License-Identifier: GPL-2.0-only
/* Whether the sides of a comparison are of the same work, measured in the same way. */

#include "unlike.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"

/* Old records lack some of it; two that do are alike. */
#define UNKNOWN "unknown"

static char *command_of(const struct run *run)
{
	return xstrdup(run->command ?: UNKNOWN);
}

/* Add the line's first @length characters. Frees @text. */
static char *with_word(char *text, const char *line, size_t length)
{
	char *longer = xasprintf("%s%s%.*s", text, *text ? "," : "", (int)length, line);

	free(text);
	return longer;
}

/* Those that were on, as kernels list them: newer ones have more that are off. */
static char *features_of(const struct run *run)
{
	const char *line = run_text(run, "features");
	char *text = xstrdup(line ? "" : UNKNOWN);

	for (size_t length; line && *line; line += length + (line[length] == '\n')) {
		size_t name = strcspn(line, " \n");

		length = strcspn(line, "\n");
		if (length == name + 2 && line[name + 1] == '1' && strncmp(line, "timed", name))
			text = with_word(text, line, name);
	}
	if (*text)
		return text;
	free(text);
	return xstrdup("none");
}

static char *timed_of(const struct run *run)
{
	return xasprintf("%ju", (uintmax_t)(run_info_number(run, "timed") ?: 1));
}

/* A process is another one in each run, so only whether there was one counts. */
static char *filter_of(const struct run *run)
{
	const char *line = run_text(run, "filter") ?: "";
	char *text = xstrdup("");

	for (size_t length; *line; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		if (length > 1)
			text = with_word(text, line, *line == 'p' ? 1 : length);
	}
	if (*text)
		return text;
	free(text);
	return xstrdup("none");
}

static const struct { const char *what; char *(*of)(const struct run *run); } aspects[] = {
	{ "commands", command_of }, { "features", features_of }, { "timed", timed_of }, { "filters", filter_of },
};

/* The first run that is unlike the first of all. */
static char *find(const struct comparison *comparison, size_t aspect)
{
	char *first = aspects[aspect].of(comparison->sides[0].record.runs), *found = NULL, *other;

	for (size_t side = 0; side < comparison->side_count; side++) {
		const struct record *record = &comparison->sides[side].record;

		for (size_t i = 0; i < record->run_count && !found; i++) {
			other = aspects[aspect].of(&record->runs[i]);
			if (strcmp(first, other))
				found = xasprintf("%s: %s in A, %s in %c", aspects[aspect].what, first, other,
						  (char)('A' + side));
			free(other);
		}
	}
	free(first);
	return found;
}

char *unlike(const struct comparison *comparison)
{
	char *all = NULL, *one, *before;

	for (size_t i = 0; i < sizeof(aspects) / sizeof(*aspects); i++) {
		one = find(comparison, i);
		if (!one)
			continue;
		before = all;
		all = xasprintf("%s%s%s", before ?: "", before ? "; " : "", one);
		free(before);
		free(one);
	}
	return all;
}
