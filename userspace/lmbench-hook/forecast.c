// SPDX-License-Identifier: GPL-2.0-only
/* How long a run will take: nearly all of it is mkdir and rmdir in variations that make thousands of directories. */

#include "forecast.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "clock.h"
#include "syscalls.h"

#define TRIALS 64
#define LONG_SECONDS 10
#define MINUTE 60

/* Other rounds are a few calls such as open and close. */
#define CALLS 4

/* Of one directory made and removed; 0 if that cannot be done. */
static double directory_seconds(const struct place *place)
{
	uint64_t begin = clock_ns();

	for (size_t i = 0; i < TRIALS; i++)
		if (lh_mkdir(place->fresh) || lh_rmdir(place->fresh))
			return 0;
	return (clock_ns() - begin) / 1e9 / TRIALS;
}

/* Of a file opened and closed. */
static double file_seconds(const struct place *place)
{
	uint64_t begin = clock_ns();

	for (size_t i = 0; i < TRIALS; i++)
		close(open(place->file, O_RDONLY | O_CLOEXEC));
	return (clock_ns() - begin) / 1e9 / TRIALS;
}

static size_t rounds_of(const struct bench *bench, const struct place *place, const struct plan *plan)
{
	if (plan->loop)
		return plan->warmup + plan->runs * plan->loop;
	return plan->warmup + plan->runs * (bench->many ? place->many : 1);
}

static void say(const struct bench_list *benches, const struct plan *plan, double seconds, bool is_by_directories)
{
	const char *unit = seconds > 2 * MINUTE ? "minutes" : "s";
	double time = seconds > 2 * MINUTE ? seconds / MINUTE : seconds + 0.5;

	fprintf(stderr, "lmbench-hook: %zu sub-benchmark%s, %zu samples of each: about %.0f %s here%s\n", benches->count,
		benches->count > 1 ? "s" : "", plan->runs, time, unit,
		is_by_directories ? "; mkdir/many and rmdir/many are most of that: '*' leaves variations out, "
				    "--directories makes them shorter" : "");
}

void forecast_say(const struct bench_list *benches, struct place *place, const struct plan *plan, bool always)
{
	double directory = directory_seconds(place), file = file_seconds(place), directories = 0, others = 0;

	for (size_t i = 0; i < benches->count; i++) {
		const struct bench *bench = benches->items[i];
		size_t rounds = rounds_of(bench, place, plan);

		if (bench->many)
			directories += rounds * directory;
		else
			others += rounds * CALLS * file;
	}
	if (always || directories + others > LONG_SECONDS)
		say(benches, plan, directories + others,
		    directories > others && directories > LONG_SECONDS);
}
