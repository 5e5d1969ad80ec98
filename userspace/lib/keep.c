// SPDX-License-Identifier: GPL-2.0-only
/*
 * Saves the state of the monitor and restores it. Where the kernel has sessions, it does that, also for a program that is
 * killed; elsewhere we do.
 */

#include "keep.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
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

static void let_go(struct keep *keep)
{
	run_free(&keep->state);
	if (keep->session >= 0)
		close(keep->session);
	close(keep->lock);
}

/* The lock is for programs of ours that know no sessions. */
int keep_begin(struct keep *keep, const char *dir)
{
	*keep = (struct keep){ .dir = dir, .session = -1 };
	if (monitor_check(dir))
		return -1;
	keep->lock = lock_monitor(dir);
	if (keep->lock < 0)
		return -1;
	if (!lock_session(dir, &keep->session) && !read_one(keep, "control") && !read_one(keep, "features") &&
	    !read_one(keep, "filter")) {
		if (keep->session < 0)
			complain("this kernel has no '%s/session': if something kills this program, the monitor stays as "
				 "it is then", dir);
		return 0;
	}
	let_go(keep);
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

	if (keep->session < 0) {
		/* Restore the switch last, so that nothing is measured half restored. */
		error |= restore(keep, "filter");
		error |= restore(keep, "features");
		error |= restore(keep, "control");
	}
	let_go(keep);
	return error ? -1 : 0;
}

/* From "p 412"; 0 if there is no such line. */
static pid_t measured_process(const char *filter)
{
	const char *line = filter;
	int pid = 0;

	while (line && sscanf(line, "p %d", &pid) != 1) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return pid;
}

int keep_check_process(const struct keep *keep)
{
	pid_t pid = measured_process(run_text(&keep->state, "filter"));

	if (!pid || keep->session >= 0)
		return 0;
	if (kill(pid, 0) && errno == ESRCH)
		return complain("'%s/filter' is of process %d, which has ended: somebody was killed who measured it. Clear "
				"it with: echo p >%s/filter", keep->dir, pid, keep->dir);
	return complain("somebody is measuring process %d ('%s/filter'): wait, or clear it with: echo p >%s/filter", pid,
			keep->dir, keep->dir);
}
