// SPDX-License-Identifier: GPL-2.0-only
/* Runs of a command: some before those that are measured, and as many of these as it takes to know the mean well. */

#include "repeat.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "child.h"
#include "complain.h"
#include "duration.h"
#include "total.h"
#include "welch.h"

/* Of fewer, an interval means little: it may be small by chance. */
#define RUNS_MIN 3
#define CLEAR_LINE "\r\033[K"

/**
 * struct spread - what runs took
 * @hooks: own ticks of hooks in each, without what measuring added
 * @seconds: how long each took
 * @least: ticks of the run in which hooks took least
 * @most: ticks of the run in which they took most
 */
struct spread {
	struct samples hooks;
	struct samples seconds;
	double least;
	double most;
};

static const struct spread no_runs = { .least = INFINITY };

static int spread_add(struct spread *spread, const struct record *record, size_t run)
{
	struct record one = *record;
	struct total total;
	double ticks;

	one.runs = &record->runs[run];
	one.run_count = 1;
	if (total_read(&total, &one))
		return -1;
	ticks = total_hooks(&total);
	samples_add(&spread->hooks, ticks);
	samples_add(&spread->seconds, one.runs->seconds);
	spread->least = fmin(spread->least, ticks);
	spread->most = fmax(spread->most, ticks);
	return 0;
}

static int spread_read(struct spread *spread, const struct record *record)
{
	*spread = no_runs;
	for (size_t i = 0; i < record->run_count; i++)
		if (spread_add(spread, record, i))
			return -1;
	return 0;
}

/* Half of the 95 % confidence interval of the mean, in percent of it; infinite where it is not known. */
static double percent_of(const struct samples *samples)
{
	double half;

	if (!samples_half(samples, &half) || !samples->mean)
		return INFINITY;
	return 100 * half / samples->mean;
}

static bool is_enough(const struct repeat *repeat, const struct record *record, const struct spread *spread)
{
	size_t most = repeat->runs ?: repeat->until ? REPEAT_UNTIL : 1;

	if (record->run_count >= most)
		return true;
	return repeat->until && record->run_count >= RUNS_MIN && percent_of(&spread->hooks) <= repeat->until;
}

/* Elsewhere stderr is for programs, and for a log. */
static bool shows_progress(const struct repeat *repeat)
{
	return (repeat->runs > 1 || repeat->until || repeat->warmup) && isatty(STDERR_FILENO);
}

/* Without a newline: what comes next is written over it. */
static void show_progress(const struct repeat *repeat, const struct record *record, const struct spread *spread)
{
	char *ticks;

	if (!shows_progress(repeat))
		return;
	fprintf(stderr, CLEAR_LINE "run %zu", record->run_count + 1);
	if (repeat->runs)
		fprintf(stderr, " of %s%zu", repeat->until ? "at most " : "", repeat->runs);
	if (record->run_count > 1) {
		ticks = total_ticks_text(record, spread->hooks.mean);
		fprintf(stderr, "; hooks take %s +- %.2g %%", ticks, percent_of(&spread->hooks));
		free(ticks);
	}
	fputs(" ", stderr);
}

static void end_progress(const struct repeat *repeat)
{
	if (shows_progress(repeat))
		fputs(CLEAR_LINE, stderr);
}

/* A command that is not measured. Returns its status, or -1 after a complaint. */
static int run(char **words)
{
	struct child child;

	return child_make(&child, words) ? -1 : child_run(&child, *words);
}

static int prepare(const struct repeat *repeat)
{
	char *words[] = { "sh", "-c", (char *)repeat->prepare, NULL };
	int status = repeat->prepare ? run(words) : 0;

	if (status <= 0)
		return status;
	end_progress(repeat);
	return child_was_interrupted() ? -1 : complain("--prepare: '%s' ended with status %d", repeat->prepare, status);
}

static int warm_up(const struct repeat *repeat, const struct measuring *measuring)
{
	for (size_t i = 0; i < repeat->warmup && !child_was_interrupted(); i++) {
		if (shows_progress(repeat))
			fprintf(stderr, CLEAR_LINE "warm-up %zu of %zu ", i + 1, repeat->warmup);
		if (prepare(repeat) || run(measuring->words) < 0)
			return -1;
	}
	return 0;
}

/* Each run is read once, and only if its total is asked for before the last run. */
static int note_run(const struct repeat *repeat, const struct record *record, struct spread *spread)
{
	if (spread->hooks.count == record->run_count || (!repeat->until && !shows_progress(repeat)))
		return 0;
	return spread_add(spread, record, record->run_count - 1);
}

int repeat_measure(const struct repeat *repeat, const struct keep *keep, const struct measuring *measuring,
		   struct record *record)
{
	struct spread spread = no_runs;
	int error = warm_up(repeat, measuring);

	while (!error && !child_was_interrupted() && (!record->run_count || !is_enough(repeat, record, &spread))) {
		show_progress(repeat, record, &spread);
		error = prepare(repeat) || (!child_was_interrupted() && measure(keep, measuring, record)) ? -1 : 0;
		if (!error)
			error = note_run(repeat, record, &spread);
	}
	end_progress(repeat);
	return error;
}

static void say_interval(const struct repeat *repeat, const struct record *record, double percent)
{
	if (repeat->until && percent > repeat->until)
		complain("after %zu runs the interval is still wider than +- %g %%: runs differ too much for that",
			 record->run_count, repeat->until);
}

void repeat_say(const struct repeat *repeat, const struct record *record)
{
	char *mean, *least, *most, *seconds;
	struct spread spread;

	if (record->run_count < 2 || spread_read(&spread, record))
		return;
	mean = total_ticks_text(record, spread.hooks.mean);
	least = total_ticks_text(record, spread.least);
	most = total_ticks_text(record, spread.most);
	seconds = duration_text(spread.seconds.mean);
	complain("A run: hooks took %s +- %.2g %%, from %s to %s; the command %s +- %.2g %%.", mean,
		 percent_of(&spread.hooks), least, most, seconds, percent_of(&spread.seconds));
	say_interval(repeat, record, percent_of(&spread.hooks));
	free(mean);
	free(least);
	free(most);
	free(seconds);
}
