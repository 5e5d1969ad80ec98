/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_OPTIONS_H
#define LMBENCH_HOOK_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output.h"

enum verb { VERB_LIST, VERB_RUN, VERB_WORK, VERB_OPENIT, VERB_COMPARE };

/* Of a number that was not given. */
#define OPTION_UNSET SIZE_MAX

/**
 * struct options - the command line
 * @verb: what to do
 * @patterns: which sub-benchmarks, none: all; for compare, the two files
 * @pattern_count: how many of them
 * @number: -n: samples (run, openit) or rounds (work), or OPTION_UNSET
 * @warmup: rounds before the first sample, or OPTION_UNSET
 * @loop: rounds in a sample; 0: time each call by itself
 * @directories: in the tree of openit, or of mkdir/many and rmdir/many, or OPTION_UNSET
 * @files: in the tree of openit, or OPTION_UNSET
 * @samples: print each sample, too
 * @dir: where to make the directory to work in
 * @monitor: the kernel's lsmmon/ directory, or NULL
 * @landlock: the only directory beneath which Landlock is to allow work, or NULL
 * @landlock_rules: how many more rules Landlock is to have, or OPTION_UNSET
 * @format: of the results
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
	bool samples;
	const char *dir;
	const char *monitor;
	const char *landlock;
	size_t landlock_rules;
	enum format format;
};

struct options options_parse(int argc, char **argv);

#endif
