/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_CHILD_H
#define LSMPMON_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child - a command that waits to be released
 * @pid: process ID
 * @gate: write end of a pipe; writing to it releases the command
 * @failure: read end of a pipe; the child writes errno to it if exec fails
 */
struct child {
	pid_t pid;
	int gate;
	int failure;
};

/* Leave signals that would end us to the child, and carry on after it. */
void child_take_signals(void);

/* Whether such a signal came. */
bool child_was_interrupted(void);

/* 0, or -1 after a complaint. */
int child_make(struct child *child, char **words);

/* Release the command and wait for it. Returns its status as a shell would, or -1 after a complaint. */
int child_run(struct child *child, const char *name);

/* 126 or 127, as in a shell, if a command could not be run; 0 if all could. */
int child_missing(void);

/* Drop the command without running it. */
void child_drop(struct child *child);

#endif
