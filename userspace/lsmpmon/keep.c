// SPDX-License-Identifier: GPL-2.0-only
/* Uses the monitor and leaves it as it was. */

#include "keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"
#include "monitor.h"

static int lock(struct keep *keep)
{
	char *path = xasprintf("%s/control", keep->dir);
	int error = 0;

	keep->lock = open(path, O_RDONLY | O_CLOEXEC);
	if (keep->lock < 0)
		error = complain("cannot open '%s': %s", path, strerror(errno));
	else if (flock(keep->lock, LOCK_EX | LOCK_NB))
		error = complain("another lsmpmon uses the monitor: wait for its end");
	if (error && keep->lock >= 0)
		close(keep->lock);
	free(path);
	return error;
}

static int read_one(struct keep *keep, const char *file)
{
	char *text = monitor_read(keep->dir, file);

	if (!text)
		return -1;
	run_add(&keep->state, file, text);
	free(text);
	return 0;
}

int keep_begin(struct keep *keep, const char *dir)
{
	*keep = (struct keep){ .dir = dir };
	if (monitor_check(dir) || lock(keep))
		return -1;
	if (!read_one(keep, "control") && !read_one(keep, "features") && !read_one(keep, "filter"))
		return 0;
	run_free(&keep->state);
	close(keep->lock);
	return -1;
}

/* Each line is what the file takes. */
static int write_lines(const char *dir, const char *file, const char *lines)
{
	char *text = xstrdup(lines), *rest = text;
	int error = 0;

	for (char *line; (line = strsep(&rest, "\n"));)
		if (*line && monitor_write(dir, file, line))
			error = -1;
	free(text);
	return error;
}

static bool has_line(const char *lines, char letter)
{
	for (; lines; lines = strchr(lines, '\n')) {
		lines += *lines == '\n';
		if (*lines == letter)
			return true;
	}
	return false;
}

/* What is as it was is left alone. Of a filter the line of processes is there only if one is set. */
static int restore(const struct keep *keep, const char *file)
{
	const char *before = run_text(&keep->state, file);
	char *now = monitor_read(keep->dir, file);
	int error = 0;

	if (!now)
		return -1;
	if (!strcmp(file, "filter") && has_line(now, 'p') && !has_line(before, 'p'))
		error = monitor_write(keep->dir, file, "p");
	if (strcmp(now, before))
		error |= write_lines(keep->dir, file, before);
	free(now);
	return error;
}

int keep_end(struct keep *keep)
{
	int error = 0;

	/* The switch comes last: nothing is measured half restored. */
	error |= restore(keep, "filter");
	error |= restore(keep, "features");
	error |= restore(keep, "control");
	run_free(&keep->state);
	close(keep->lock);
	return error ? -1 : 0;
}

bool keep_has_filter(const struct keep *keep, char letter)
{
	return has_line(run_text(&keep->state, "filter"), letter);
}
