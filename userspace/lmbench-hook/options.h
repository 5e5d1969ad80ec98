/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_OPTIONS_H
#define LMBENCH_HOOK_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output.h"

enum verb { VERB_LIST, VERB_RUN, VERB_WORK, VERB_OPENIT, VERB_EXEC };

/* Value of a number that was not given. */
#define OPTION_UNSET SIZE_MAX

/**
 * struct options - the command line
 * @verb: what to do
 * @patterns: patterns of sub-benchmarks; exec: the program and its arguments, and NULL
 * @pattern_count: number of patterns
 * @number: samples (run, openit) or rounds (work), or OPTION_UNSET
 * @warmup: rounds before the first sample, or OPTION_UNSET
 * @loop: rounds in a sample; 0: time each call by itself
 * @directories: directories in the tree of openit, or of mkdir/many and rmdir/many, or OPTION_UNSET
 * @files: files in the tree of openit, or OPTION_UNSET
 * @stop: stop before each call that is timed
 * @samples: print each sample as well
 * @dir: where to make the directory to work in
 * @monitor: the kernel's lsmmon/ directory, or NULL
 * @syscalls: the file for what it counts by system call, or NULL
 * @landlock: restrict work to this directory with Landlock, or NULL
 * @landlock_rules: number of additional Landlock rules, or OPTION_UNSET
 * @denied: the file of denied/open, or NULL
 * @format: output format
 */
struct options {
	enum verb verb;
	char **patterns;
	size_t pattern_count;
	size_t number;
	size_t warmup;
	size_t loop;
	size_t directories;
	size_t files;
	bool stop;
	bool samples;
	const char *dir;
	const char *monitor;
	const char *syscalls;
	const char *landlock;
	size_t landlock_rules;
	const char *denied;
	enum format format;
};

struct options options_parse(int argc, char **argv);

#endif
