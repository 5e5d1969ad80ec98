/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_MEASURING_H
#define LSMPMON_MEASURING_H

#include <stdbool.h>
#include <sys/types.h>

#include "bpf_programs.h"
#include "keep.h"
#include "record.h"

/**
 * struct measuring - whose hook calls to measure, and for how long
 * @words: a command to run and measure until it ends; NULL for what already runs
 * @pid: a running process to measure with its future descendants; 0 for none
 * @seconds: time limit; 0 to measure until the command or process ends or a signal arrives
 * @subject: only tasks of this command name; NULL for any
 * @object: only calls on this object; NULL for any
 * @is_all: measure every task of the system
 * @has_programs: have the kernel time BPF programs as well
 */
struct measuring {
	char **words;
	pid_t pid;
	double seconds;
	const char *subject;
	const char *object;
	bool is_all;
	bool has_programs;
};

/* Measure once and add a run to @record. Returns 0, or -1 after a complaint. */
int measure(const struct keep *keep, const struct measuring *measuring, struct record *record);

/* Filter by that process and its future descendants. Returns 0, or -1 after a complaint. */
int measure_process(const char *dir, pid_t pid);

#endif
