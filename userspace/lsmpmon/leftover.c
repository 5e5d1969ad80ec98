// SPDX-License-Identifier: GPL-2.0-only
/* What was left on: a filter, features, trace events. All of it is read, and nothing is changed. */

#include "leftover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "feature.h"
#include "monitor.h"
#include "traced.h"

#define TRACING "/sys/kernel/tracing"

/* Whether the process of a line such as "p 412 exec" has ended. */
static bool has_ended(const char *line)
{
	pid_t pid = *line == 'p' ? atoi(line + 1) : 0;

	return pid > 0 && kill(pid, 0) && errno == ESRCH;
}

static void note_filter(struct sheet *sheet, const char *line, size_t length, const char *dir)
{
	static const char *const whose[] = {
		['s'] = "by tasks of that command name", ['o'] = "on that object",
		['p'] = "by that process and those it starts",
	};
	const char *what = (unsigned char)*line < sizeof(whose) / sizeof(*whose) ? whose[(unsigned char)*line] : NULL;

	sheet_note(sheet, "left on: filter '%.*s': only calls %s are counted%s. Clear it: echo %c >%s/filter", (int)length, line,
		   what ?: "that it selects", has_ended(line) ? ", and that process has ended" : "", *line, dir);
}

static void note_filters(struct sheet *sheet, const struct run *run, const char *dir)
{
	const char *line = run_text(run, "filter") ?: "";

	for (size_t length; *line; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		/* One without a name is not set. */
		if (length > 1)
			note_filter(sheet, line, length, dir);
	}
}

static void note_features(struct sheet *sheet, const struct run *run)
{
	char *features = features_on(run);

	if (*features)
		sheet_note(sheet, "left on: features %s: lsmpmon on and top measure with them, and most cost time in each call. "
				  "Switch them off, which sets all counters to zero: lsmpmon on -f none && lsmpmon off",
			   features);
	free(features);
}

/* The first word of a file of tracefs is another one than this; not if it cannot be read, or there is no such file. */
static bool is_other(const char *path, const char *usual)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[64] = "";
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[strcspn(text, "\n")] = '\0';
	return length > 0 && strcmp(text, usual);
}

static void note_file(struct sheet *sheet, const char *dir, const char *file, const char *usual, const char *what)
{
	char *path = xasprintf("%s/%s", dir, file);

	if (is_other(path, usual))
		sheet_note(sheet, "left on: %s, also while the monitor does not measure: echo %s >%s", what, usual, path);
	free(path);
}

static void note_instance(struct sheet *sheet, const char *dir)
{
	note_file(sheet, dir, "events/" TRACED_SYSTEM "/enable", "0", "trace events of hooks, which cost time in each call");
	note_file(sheet, dir, "current_tracer", "nop", "a tracer of the kernel, which costs time in most functions");
}

/* Those of perf are not to be seen here. */
static void note_tracing(struct sheet *sheet)
{
	struct dirent **names;
	int count = scandir(TRACING "/instances", &names, NULL, alphasort);

	note_instance(sheet, TRACING);
	for (int i = 0; i < count; i++) {
		char *path = xasprintf(TRACING "/instances/%s", names[i]->d_name);

		if (*names[i]->d_name != '.')
			note_instance(sheet, path);
		free(path);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}

void leftovers_note(struct sheet *sheet, const struct run *run, const char *dir, bool is_held)
{
	/* Filter and features of the holder are restored when it ends. */
	if (!is_held) {
		note_filters(sheet, run, dir);
		note_features(sheet, run);
	}
	if (!strcmp(dir, LSMMON))
		note_tracing(sheet);
}
