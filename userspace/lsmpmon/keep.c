// SPDX-License-Identifier: GPL-2.0-only
/* Saves the state of the monitor and restores it. */

#include "keep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"
#include "lock.h"
#include "monitor.h"

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
	if (monitor_check(dir))
		return -1;
	keep->lock = lock_monitor(dir);
	if (keep->lock < 0)
		return -1;
	if (!read_one(keep, "control") && !read_one(keep, "features") && !read_one(keep, "filter"))
		return 0;
	run_free(&keep->state);
	close(keep->lock);
	return -1;
}

/* The file takes one line per write. */
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

/* Write only what differs. The filter has a line for processes only while one is set. */
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

	/* Restore the switch last, so that nothing is measured half restored. */
	error |= restore(keep, "filter");
	error |= restore(keep, "features");
	error |= restore(keep, "control");
	run_free(&keep->state);
	close(keep->lock);
	return error ? -1 : 0;
}

int keep_check_process(const struct keep *keep)
{
	if (!has_line(run_text(&keep->state, "filter"), 'p'))
		return 0;
	return complain("somebody is measuring a process (p PID in '%s/filter'): wait, or clear it with: "
			"echo p >%s/filter", keep->dir, keep->dir);
}
