/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_MEASURING_H
#define LSMPMON_MEASURING_H

#include <stdbool.h>
#include <sys/types.h>

#include "keep.h"
#include "record.h"

/**
 * struct measuring - whose hook calls are measured, and how long
 * @words: a command, until its end; NULL: what runs already
 * @pid: a process that runs already, with all that will descend from it; 0: none
 * @seconds: at most so long; 0: until the command or the process ends, or a signal comes
 * @subject: command name; NULL: any
 * @object: of calls; NULL: any
 * @is_all: every task of the system
 */
struct measuring {
	char **words;
	pid_t pid;
	double seconds;
	const char *subject;
	const char *object;
	bool is_all;
};

/* Once, as one more run of @record. 0, or -1 after a complaint. */
int measure(const struct keep *keep, const struct measuring *measuring, struct record *record);

/* Have the filter let only that process pass, and all that will descend from it. 0, or -1 after a complaint. */
int measure_process(const char *dir, pid_t pid);

#endif
