// SPDX-License-Identifier: GPL-2.0-only
/* lmbench-hook: file operations, timed one system call by itself, or counted. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "clock.h"
#include "confine.h"
#include "measure.h"
#include "monitor.h"
#include "options.h"
#include "output.h"
#include "place.h"

#define RUN_SAMPLES 300
#define WORK_ROUNDS 1000

static int failed(const char *what)
{
	fprintf(stderr, "lmbench-hook: %s: %s\n", what, strerror(errno));
	return -1;
}

static int no_place(const char *dir)
{
	fprintf(stderr,
		"lmbench-hook: cannot work in '%s': %s; -d takes a directory that files can be made in\n",
		dir, strerror(errno));
	return -1;
}

static int list(const struct bench_list *benches)
{
	printf("%-12s %-22s %s\n", "name", "calls of one round", "what the call in brackets does");
	for (size_t i = 0; i < benches->count; i++) {
		const struct bench *b = benches->items[i];

		printf("%-12s %-22s %s\n", b->name, b->calls, b->what);
	}
	return 0;
}

static int run_one(const struct bench *bench, struct place *place, const struct options *options,
		   const struct heading *heading)
{
	struct stats stats;

	if (measure(bench, place, heading->plan, &stats))
		return failed(bench->name);
	output_row(options->format, heading, bench, &stats);
	return 0;
}

static int run(const struct bench_list *benches, struct place *place, const struct options *options)
{
	struct plan plan = {
		.runs = options->number ? options->number : RUN_SAMPLES,
		.warmup = options->warmup,
		.loop = options->loop,
	};
	struct heading heading = {
		.place = place,
		.plan = &plan,
		.ticks_per_ns = clock_ticks_per_ns(),
	};

	if (measure_empty(&plan, &heading.empty))
		return failed("the empty span");
	output_begin(options->format, &heading);
	for (size_t i = 0; i < benches->count; i++)
		if (run_one(benches->items[i], place, options, &heading))
			return -1;
	output_end(options->format);
	return 0;
}

static int work_all(const struct bench_list *benches, struct place *place, size_t rounds)
{
	for (size_t i = 0; i < benches->count; i++)
		if (work(benches->items[i], place, rounds))
			return failed(benches->items[i]->name);
	return 0;
}

static int work_counted(const struct bench_list *benches, struct place *place,
			const struct options *options, const struct monitor *monitor)
{
	size_t rounds = options->number ? options->number : WORK_ROUNDS;

	if (monitor_begin(monitor))
		return failed("starting the monitor");
	if (work_all(benches, place, rounds))
		return -1;
	if (monitor_end(monitor))
		return failed("stopping the monitor");

	printf("%zu rounds of each; paths have %u components, as in %s\n", rounds,
	       place_depth(place->file), place->file);
	return list(benches);
}

static int act(const struct bench_list *benches, const struct options *options)
{
	/* Static: large, and its pages are touched before any clock runs. */
	static struct place place;
	struct monitor monitor;
	int err;

	if (monitor_open(&monitor, options->monitor))
		return -1;
	if (options->landlock && confine_beneath(options->landlock))
		return -1;
	if (place_make(&place, options->dir))
		err = no_place(options->dir);
	else if (options->verb == VERB_RUN)
		err = run(benches, &place, options);
	else
		err = work_counted(benches, &place, options, &monitor);
	place_remove(&place);
	return err;
}

int main(int argc, char **argv)
{
	struct options options = options_parse(argc, argv);
	struct bench_list benches = { 0 };
	int err;

	if (bench_select(&benches, options.patterns, options.pattern_count))
		return 2;
	err = options.verb == VERB_LIST ? list(&benches) : act(&benches, &options);
	bench_list_free(&benches);
	free(options.patterns);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
