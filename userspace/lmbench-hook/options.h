/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_OPTIONS_H
#define LMBENCH_HOOK_OPTIONS_H

#include <stddef.h>

#include "output.h"

enum verb { VERB_LIST, VERB_RUN, VERB_WORK };

/**
 * struct options - the command line
 * @verb: what to do
 * @patterns: which sub-benchmarks; none: all
 * @pattern_count: how many patterns
 * @number: -n: samples (run) or rounds (work); 0: not given
 * @warmup: rounds before the first sample
 * @loop: rounds in a sample; 0: time each call by itself
 * @dir: where to make the directory to work in
 * @monitor: the kernel's lsmmon/ directory, or NULL
 * @landlock: the only directory beneath which Landlock is to allow work, or NULL
 * @format: of the results
 */
struct options {
	enum verb verb;
	char **patterns;
	size_t pattern_count;
	size_t number;
	size_t warmup;
	size_t loop;
	const char *dir;
	const char *monitor;
	const char *landlock;
	enum format format;
};

struct options options_parse(int argc, char **argv);

#endif
