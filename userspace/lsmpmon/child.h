/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_CHILD_H
#define LSMPMON_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child - a command that waits to be let go
 * @pid: of its process
 * @gate: to write to, so that it goes
 * @failure: tells why it could not
 */
struct child {
	pid_t pid;
	int gate;
	int failure;
};

/* From now on signals that would end us are the child's, and we go on after it. */
void child_take_signals(void);

/* Whether there was one. */
bool child_was_interrupted(void);

/* 0, or -1 after a complaint. */
int child_make(struct child *child, char **words);

/* Have it run and wait for its end. Its status as a shell has it, or -1 after a complaint. */
int child_run(struct child *child, const char *name);

/* The status that a shell has for a command that could not be run, 126 or 127; 0: they all could. */
int child_missing(void);

/* It does not run at all. */
void child_drop(struct child *child);

#endif
