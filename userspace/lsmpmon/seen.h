/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_SEEN_H
#define LSMPMON_SEEN_H

#include <stddef.h>
#include <stdio.h>

#include "traced.h"

/* As the kernel has it, with the zero byte. */
#define SEEN_COMM 16

/**
 * struct seen - a hook call that is to be printed
 * @traced: what the event has
 * @seconds: when it ended, since the program began
 * @comm: command name of its task
 * @pid: its task; 0 for the idle one, in interrupts
 * @stack: functions of the kernel that it was called by, the innermost first
 * @stack_count: how many
 */
struct seen {
	struct traced traced;
	double seconds;
	char comm[SEEN_COMM];
	int pid;
	char **stack;
	size_t stack_count;
};

/* The names of the columns. */
void seen_print_heading(FILE *out);

/* One line, and below it the stack if there is one. */
void seen_print(const struct seen *seen, FILE *out);

/* The same as one line of JSON; schema/seen.json describes it. */
void seen_print_json(const struct seen *seen, FILE *out);

void seen_free(struct seen *seen);

#endif
