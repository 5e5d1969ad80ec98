// SPDX-License-Identifier: GPL-2.0-only
/* lmbench-hook: times single system calls, for file operations and more, or makes an exact number of them. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "clock.h"
#include "confine.h"
#include "counting.h"
#include "external.h"
#include "forecast.h"
#include "measure.h"
#include "options.h"
#include "output.h"
#include "place.h"
#include "process.h"
#include "progress.h"

#define RUN_SAMPLES 300
#define RUN_WARMUP 50
#define RUN_DIRECTORIES 9437
#define WORK_ROUNDS 1000

/* Width of the calls of any file operation. */
#define LIST_CALLS_WIDTH 24

/* As in the measurement of 2008 that it reproduces. */
#define OPENIT_SAMPLES 9
#define OPENIT_WARMUP 1
#define OPENIT_DIRECTORIES 266
#define OPENIT_FILES 19255

static int failed(const char *what)
{
	fprintf(stderr, "lmbench-hook: %s: %s\n", what, strerror(errno));
	return -1;
}

static int no_place(const char *dir)
{
	fprintf(stderr,
		"lmbench-hook: cannot work in '%s': %s; give a writable directory with -d\n",
		dir, strerror(errno));
	return -1;
}

static int calls_width(const struct bench_list *benches)
{
	int width = LIST_CALLS_WIDTH;

	for (size_t i = 0; i < benches->count; i++) {
		int len = strlen(benches->items[i]->calls);

		width = len > width ? len : width;
	}
	return width;
}

static int list(const struct bench_list *benches)
{
	int width = calls_width(benches);

	printf("%-18s  %-*s  %s\n", "name", width, "calls of one round",
	       "what the call in brackets does");
	for (size_t i = 0; i < benches->count; i++) {
		const struct bench *b = benches->items[i];

		printf("%-18s  %-*s  %s\n", b->name, width, b->calls, b->what);
	}
	return 0;
}

static size_t given(size_t number, size_t otherwise)
{
	return number == OPTION_UNSET ? otherwise : number;
}

static int left_out(const struct bench *bench, struct output *output)
{
	const char *why = strerror(errno);

	fprintf(stderr, "lmbench-hook: left out: %s, %s: %s\n", bench->name, bench->what, why);
	if (output)
		output_left_out(output, bench, why);
	return 0;
}

static int run_one(const struct bench *bench, struct place *place, struct output *output)
{
	const struct plan *plan = output->heading->plan;
	struct series series = { 0 };
	int err = series_make(&series, plan->runs);

	if (!err)
		err = measure(bench, place, plan, &series);
	progress_clear();
	if (err > 0)
		err = left_out(bench, output);
	else if (err)
		err = failed(bench->name);
	else
		output_row(output, bench, &series);
	series_free(&series);
	return err;
}

static int run_all(const struct bench_list *benches, struct place *place, struct output *output)
{
	int err = 0;

	for (size_t i = 0; !err && i < benches->count; i++) {
		progress_show(benches->items[i]->name, i + 1, benches->count);
		err = run_one(benches->items[i], place, output);
	}
	return err;
}

static int run(const struct bench_list *benches, struct place *place, const struct plan *plan,
	       const struct options *options, enum format format)
{
	struct heading heading = {
		.place = place,
		.plan = plan,
		.ticks_per_ns = clock_ticks_per_ns(),
		.keep = options->samples,
	};
	struct output output;
	int err;

	if (series_make(&heading.empty, plan->runs) || measure_empty(plan, &heading.empty))
		return failed("the empty span");
	output_begin(&output, format, &heading);
	err = run_all(benches, place, &output);
	if (!err)
		output_end(&output);
	series_free(&heading.empty);
	return err;
}

static int run_benches(const struct bench_list *benches, struct place *place,
		       const struct options *options)
{
	struct plan plan = {
		.runs = given(options->number, RUN_SAMPLES),
		.warmup = given(options->warmup, RUN_WARMUP),
		.loop = options->loop,
		.stop = options->stop,
	};

	forecast_say(benches, place, &plan, !options->pattern_count);
	return run(benches, place, &plan, options, options->format);
}

static int run_openit(struct place *place, const struct options *options)
{
	const struct bench *openit = &openit_bench;
	const struct bench_list benches = { .items = &openit, .count = 1 };
	struct plan plan = {
		.runs = given(options->number, OPENIT_SAMPLES),
		.warmup = given(options->warmup, OPENIT_WARMUP),
	};
	enum format format = options->format == FORMAT_TEXT ? FORMAT_WALK : options->format;

	place->directories = given(options->directories, OPENIT_DIRECTORIES);
	place->files = given(options->files, OPENIT_FILES);
	return run(&benches, place, &plan, options, format);
}

static int work_all(const struct bench_list *benches, struct place *place, size_t rounds,
		    struct counting *counting)
{
	for (size_t i = 0; i < benches->count; i++) {
		int err = work(benches->items[i], place, rounds, counting);

		if (err > 0)
			left_out(benches->items[i], NULL);
		else if (err)
			return failed(benches->items[i]->name);
	}
	return 0;
}

static int work_counted(const struct bench_list *benches, struct place *place,
			const struct options *options, struct counting *counting)
{
	size_t rounds = given(options->number, WORK_ROUNDS);

	if (work_all(benches, place, rounds, counting))
		return -1;
	if (counting_stop(counting))
		return failed("stopping the monitor");

	printf("%zu rounds of each; paths have %u components (%s) unless the name says\n", rounds,
	       place_depth(place->file), place->file);
	return list(benches);
}

static int do_verb(const struct bench_list *benches, struct place *place,
		   const struct options *options, struct counting *counting)
{
	place->many = given(options->directories, RUN_DIRECTORIES);
	place->denied = options->denied;
	if (options->verb == VERB_RUN)
		return run_benches(benches, place, options);
	if (options->verb == VERB_OPENIT)
		return run_openit(place, options);
	return work_counted(benches, place, options, counting);
}

static int act(const struct bench_list *benches, const struct options *options)
{
	/* Static, since it is large and its pages must be touched before anything is timed. */
	static struct place place;
	struct counting counting;
	int err;

	if (counting_open(&counting, options->monitor, options->syscalls))
		return -1;
	if (options->landlock && confine_beneath(options->landlock, given(options->landlock_rules, 0)))
		err = -1;
	else if (place_make(&place, options->dir))
		err = no_place(options->dir);
	else
		err = do_verb(benches, &place, options, &counting);
	place_remove(&place);
	return counting_close(&counting, err ? NULL : options->syscalls) ? -1 : err;
}

static void stop(int number)
{
	(void)number;
	measure_stop = 1;
}

/* A run can be interrupted and then removes its files. Work cannot: its count would be unknown. */
static void catch_signals(const struct options *options)
{
	if (options->verb != VERB_RUN && options->verb != VERB_OPENIT)
		return;
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	signal(SIGHUP, stop);
}

/* Returns only if the program could not be executed. */
static int execute(const struct options *options)
{
	if (options->landlock && confine_writes(options->landlock))
		return EXIT_FAILURE;
	execvp(options->patterns[0], options->patterns);
	fprintf(stderr, "lmbench-hook: cannot execute '%s': %s\n", options->patterns[0],
		strerror(errno));
	return EXIT_FAILURE;
}

static int choose_and_act(const struct options *options)
{
	struct bench_list benches = { 0 };
	int err;

	if (bench_select(&benches, options->patterns, options->pattern_count,
			 options->verb == VERB_LIST ? BENCH_ALL : BENCH_FILES))
		return 2;
	err = options->verb == VERB_LIST ? list(&benches) : act(&benches, options);
	bench_list_free(&benches);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct options options;
	bool has_output;
	int status;

	if (process_exits(argv))
		_exit(EXIT_SUCCESS);
	process_begin();
	if (external_run(argv))
		return EXIT_FAILURE;
	/* If stdout was closed, nobody wants the output. */
	has_output = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
	options = options_parse(argc, argv);
	catch_signals(&options);
	status = options.verb == VERB_EXEC ? execute(&options) : choose_and_act(&options);
	free(options.patterns);
	if (has_output && (fflush(stdout) || ferror(stdout)))
		return failed("the output") ? EXIT_FAILURE : status;
	return status;
}
