// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon bench: what the monitor itself costs on this machine, by hook call and in a second of its load. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "child.h"
#include "clock.h"
#include "commands.h"
#include "complain.h"
#include "disturbance.h"
#include "feature.h"
#include "keep.h"
#include "measuring.h"
#include "monitor.h"
#include "options.h"
#include "total.h"

#define STATUS_INTERRUPTED 130

/* Of a path: each component is a call of inode_permission, and there is next to nothing else to do for it. */
#define COMPONENTS 2000
#define PASSES 25
#define COUNTED 64
#define LOAD_SECONDS 1.0
/* What all samples take, so that the whole takes about ten seconds. */
#define SAMPLE_NS 7000000000ull
#define CLOCK_PAIRS 1000
#define CLOCK_TRIES 100

/**
 * struct state - a state of the monitor, and what a hook call costs in it
 * @name: off, on, or a feature that is on as well
 * @samples: ns of a hook call, the least of each pass; in ascending order in the end
 * @more: how much more than off in the same pass; the same
 */
struct state {
	char *name;
	double samples[PASSES];
	double more[PASSES];
};

/**
 * struct bench - what is measured
 * @keep: the monitor's state before
 * @states: off, on, then each feature
 * @state_count: how many
 * @path: a path of COMPONENTS components
 * @hooks: hook calls of one access() of it
 * @clocks: ns of two ordered readings of the clock
 * @load: hook calls a second of everything that runs
 */
struct bench {
	struct keep keep;
	struct state *states;
	size_t state_count;
	char path[sizeof("/proc") + 2 * COMPONENTS];
	double hooks;
	double clocks;
	double load;
};

static int interrupted(void)
{
	return child_was_interrupted() ? complain("interrupted; the monitor is as it was") : 0;
}

static void add_state(struct bench *bench, char *name)
{
	bench->states = xgrow(bench->states, bench->state_count, sizeof(*bench->states));
	bench->states[bench->state_count++] = (struct state){ .name = name };
}

static void make_states(struct bench *bench)
{
	const char *line = run_text(&bench->keep.state, "features") ?: "";

	add_state(bench, xstrdup("off"));
	add_state(bench, xstrdup("on"));
	for (char *name; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		name = xstrndup(line, strcspn(line, " \n"));
		/* As many go by untimed as a machine that always measures would let. */
		add_state(bench, strcmp(name, "timed") ? name : xstrdup("timed=64"));
	}
}

static void make_path(struct bench *bench)
{
	char *end = stpcpy(bench->path, "/proc");

	for (size_t i = 0; i < COMPONENTS; i++)
		end = stpcpy(end, "/.");
}

/* Somebody's filter would leave out our calls. The monitor's earlier state comes back in the end. */
static int clear_filter(const char *dir)
{
	return monitor_write(dir, "control", "0") || monitor_write(dir, "filter", "s") ||
	       monitor_write(dir, "filter", "o");
}

static int enter(const struct bench *bench, size_t state)
{
	const char *dir = bench->keep.dir;

	if (state == 0)
		return monitor_write(dir, "control", "0");
	return features_set(dir, state == 1 ? "none" : bench->states[state].name, NULL) ||
	       monitor_write(dir, "control", "1");
}

static int read_total(const char *dir, struct total *total)
{
	struct record record;
	int error = record_of_monitor(&record, dir);

	if (error)
		return error;
	error = total_read(total, &record);
	record_free(&record);
	return error;
}

/* The few calls that reading and writing the monitor's files make are less than one for each access(). */
static int count_hooks(struct bench *bench)
{
	const char *dir = bench->keep.dir;
	struct total total;

	if (features_set(dir, "none", NULL) || measure_process(dir, getpid()) || monitor_write(dir, "reset", "1") ||
	    monitor_write(dir, "control", "1"))
		return -1;
	for (size_t i = 0; i < COUNTED; i++)
		access(bench->path, F_OK);
	if (monitor_write(dir, "control", "0") || read_total(dir, &total) || monitor_write(dir, "filter", "p"))
		return -1;
	bench->hooks = total.calls / COUNTED;
	return bench->hooks >= COMPONENTS ? 0 : complain("access() of '%.20s...' called %.0f hooks instead of %d: the "
							 "monitor does not count", bench->path, bench->hooks,
							 COMPONENTS);
}

static int count_load(struct bench *bench)
{
	const struct measuring everything = { .is_all = true, .seconds = LOAD_SECONDS };
	struct record record = { .name = NULL };
	struct total total;
	int error = measure(&bench->keep, &everything, &record) || total_read(&total, &record);

	if (!error)
		bench->load = total.calls / (total.seconds ?: LOAD_SECONDS);
	record_free(&record);
	return error;
}

static uint64_t clock_pairs(void)
{
	uint64_t begin = clock_ticks();

	for (size_t i = 0; i < CLOCK_PAIRS; i++) {
		clock_ordered();
		clock_ordered();
	}
	return clock_ticks() - begin;
}

/* The least: whatever disturbs makes it longer. */
static double least_clocks(double ticks_per_ns)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < CLOCK_TRIES; i++) {
		uint64_t took = clock_pairs();

		if (took < least)
			least = took;
	}
	return least / ticks_per_ns / CLOCK_PAIRS;
}

static double least_access(const struct bench *bench, uint64_t nanoseconds, double ticks_per_ns)
{
	uint64_t until = clock_ns() + nanoseconds, least = UINT64_MAX;

	do {
		uint64_t begin = clock_ticks(), took;

		access(bench->path, F_OK);
		took = clock_ticks() - begin;
		if (took < least)
			least = took;
	} while (clock_ns() < until && !child_was_interrupted());
	return least / ticks_per_ns;
}

/* Every pass goes through all states, so that drifts of the machine concern all. */
static int sample(struct bench *bench)
{
	uint64_t each = SAMPLE_NS / (PASSES * bench->state_count);
	double rate = clock_ticks_per_ns();

	bench->clocks = least_clocks(rate);
	for (size_t pass = 0; pass < PASSES; pass++)
		for (size_t i = 0; i < bench->state_count; i++) {
			if (enter(bench, i))
				return -1;
			bench->states[i].samples[pass] = least_access(bench, each, rate) / bench->hooks;
			if (interrupted())
				return -1;
		}
	return 0;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(const double *samples)
{
	return samples[PASSES / 2];
}

/* Half of all passes are within this share of the median. */
static double spread(const double *samples)
{
	return (samples[3 * PASSES / 4] - samples[PASSES / 4]) / median(samples);
}

static void sort(struct bench *bench)
{
	const struct state *off = &bench->states[0];

	for (size_t i = 0; i < bench->state_count; i++)
		for (size_t pass = 0; pass < PASSES; pass++)
			bench->states[i].more[pass] = bench->states[i].samples[pass] - off->samples[pass];
	for (size_t i = 0; i < bench->state_count; i++) {
		qsort(bench->states[i].samples, PASSES, sizeof(double), ascending);
		qsort(bench->states[i].more, PASSES, sizeof(double), ascending);
	}
}

static void add_row(struct sheet *sheet, const struct bench *bench, const struct state *state, double ticks_per_ns)
{
	double more = median(state->more);

	sheet_text(sheet, state->name);
	sheet_number(sheet, median(state->samples) * ticks_per_ns);
	sheet_number(sheet, 100 * spread(state->samples));
	if (state == bench->states) {
		for (int column = 0; column < 3; column++)
			sheet_nothing(sheet);
		return;
	}
	sheet_number(sheet, more * ticks_per_ns);
	sheet_number(sheet, more / bench->clocks);
	sheet_number(sheet, 100 * more * bench->load / 1e9);
}

static void fill(struct sheet *sheet, const struct bench *bench, double ticks_per_ns)
{
	static const struct heading headings[] = {
		{ "state", TEXT, 0 }, { "hook call", TICKS, 0 }, { "spread", PERCENT, 0 }, { "added", TICKS, 0 },
		{ "clocks", REAL, 0 }, { "load", PERCENT, 0 }, { 0 }
	};

	sheet_columns(sheet, headings);
	for (size_t i = 0; i < bench->state_count; i++)
		add_row(sheet, bench, &bench->states[i], ticks_per_ns);
	sheet_note(sheet, "hook call: inode_permission in a path of %d components, median of %d passes", COMPONENTS,
		   PASSES);
	sheet_note(sheet, "spread: of the middle half of them");
	sheet_note(sheet, "added: above off in the same pass; clocks: over two ordered clock readings, which take %.1f ns",
		   bench->clocks);
	sheet_note(sheet, "load: of one CPU's time, for the %.0f hook calls that everything made in a second", bench->load);
}

static int print(const struct bench *bench, const struct options *options)
{
	struct record record;
	struct scale scale;
	struct sheet sheet;

	if (record_of_monitor(&record, bench->keep.dir))
		return -1;
	if (!run_info_number(record.runs, "clock_khz") || scale_for(&scale, &record, options->unit)) {
		record_free(&record);
		return complain("'%s/info' does not say how fast the clock is (clock_khz)", bench->keep.dir);
	}
	sheet_init(&sheet, "bench", &scale);
	sheet_describe_now(&sheet, &record);
	fill(&sheet, bench, run_info_number(record.runs, "clock_khz") / 1e6);
	disturbances_note(&sheet, &record);
	sheet_print(&sheet, &options->style, stdout);
	sheet_free(&sheet);
	record_free(&record);
	return 0;
}

static int run(struct bench *bench, const struct options *options)
{
	int error;

	if (keep_begin(&bench->keep, options_dir(options)))
		return -1;
	child_take_signals();
	make_states(bench);
	make_path(bench);
	error = keep_check_process(&bench->keep) || clear_filter(bench->keep.dir) || count_hooks(bench) ||
		count_load(bench) || interrupted() || sample(bench);
	error |= monitor_write(bench->keep.dir, "control", "0") || features_set(bench->keep.dir, "none", NULL);
	if (!error) {
		sort(bench);
		error = print(bench, options);
	}
	error |= keep_end(&bench->keep);
	for (size_t i = 0; i < bench->state_count; i++)
		free(bench->states[i].name);
	free(bench->states);
	return error;
}

int command_bench(int argc, char **argv)
{
	struct options options;
	struct bench bench = { 0 };
	int error;

	options_parse(options_output, "Measure in ten seconds what the monitor costs on this machine: a hook call, off, on "
		      "and with each feature, and a second of the load that runs. Resets the counters, and leaves the "
		      "monitor otherwise as it was.", argc, argv, &options);
	error = run(&bench, &options);
	if (child_was_interrupted())
		return STATUS_INTERRUPTED;
	return error ? STATUS_ERROR : EXIT_SUCCESS;
}
