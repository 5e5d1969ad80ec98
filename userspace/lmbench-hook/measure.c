// SPDX-License-Identifier: GPL-2.0-only
/* Runs one sub-benchmark: timed, or an exact number of rounds without a clock. */

#include "measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

volatile sig_atomic_t measure_stop;

/* Touch the memory before the first sample, so that no page fault is measured. */
int series_make(struct series *series, size_t runs)
{
	series->samples = calloc(runs, sizeof(*series->samples));
	series->sorted = calloc(runs, sizeof(*series->sorted));
	if (!series->samples || !series->sorted)
		return -1;
	for (size_t i = 0; i < runs; i++)
		((volatile double *)series->samples)[i] = 0;
	return 0;
}

void series_free(struct series *series)
{
	free(series->samples);
	free(series->sorted);
}

static int stopped(void)
{
	if (measure_stop)
		errno = EINTR;
	return measure_stop;
}

static int timed_round(const struct bench *bench, struct place *place, bool stop, uint64_t *ticks)
{
	uint64_t begin, end;
	int err;

	if (stopped() || bench_before(bench, place) || (stop && raise(SIGSTOP)))
		return -1;
	begin = clock_ticks();
	err = bench->call(place);
	end = clock_ticks();
	*ticks += end - begin;
	return err ? err : bench_after(bench, place);
}

/* One call, or many, each timed by itself. */
static int sample_call(const struct bench *bench, struct place *place, bool stop, double *sample)
{
	size_t rounds = bench->many ? place->many : 1;
	uint64_t ticks = 0;

	if (bench_begin(bench, place, rounds))
		return -1;
	for (place->index = 0; place->index < rounds; place->index++)
		if (timed_round(bench, place, stop, &ticks))
			return -1;
	*sample = (double)ticks / rounds;
	return bench_finish(bench, place, rounds);
}

static int sample_loop(const struct bench *bench, struct place *place, size_t rounds,
		       double *sample)
{
	uint64_t begin = clock_ticks();
	int err = stopped() || bench_rounds(bench, place, rounds) ? -1 : 0;

	*sample = (double)(clock_ticks() - begin) / rounds;
	return err;
}

static int sample_all(const struct bench *bench, struct place *place, const struct plan *plan,
		      double *samples)
{
	int err = plan->warmup ? bench_rounds(bench, place, plan->warmup) : 0;

	for (size_t i = 0; !err && i < plan->runs; i++)
		err = plan->loop ? sample_loop(bench, place, plan->loop, &samples[i]) :
				   sample_call(bench, place, plan->stop, &samples[i]);
	return err;
}

static int take(const struct bench *bench, struct place *place, const struct plan *plan,
		struct series *series)
{
	if (sample_all(bench, place, plan, series->samples))
		return -1;
	memcpy(series->sorted, series->samples, plan->runs * sizeof(*series->sorted));
	series->stats = stats_of(series->sorted, plan->runs);
	return 0;
}

/* bench_clear() may fail as well: keep the first errno. */
static int cleared(const struct bench *bench, struct place *place, int err)
{
	int reason = errno;

	bench_clear(bench, place);
	errno = reason;
	return err;
}

/* Returns 1 with errno set if this machine cannot do it. */
int measure(const struct bench *bench, struct place *place, const struct plan *plan,
	    struct series *series)
{
	int err = bench_setup(bench, place);

	if (!err)
		err = take(bench, place, plan, series);
	return cleared(bench, place, err);
}

static int call_nothing(struct place *place)
{
	(void)place;
	return 0;
}

/* Measures an empty span in the same way as a call. It is shown, never subtracted. */
int measure_empty(const struct plan *plan, struct series *series)
{
	static const struct bench empty = { .name = "(empty)", .call = call_nothing };
	static struct place nowhere;
	struct plan without = *plan;

	without.stop = false;
	return take(&empty, &nowhere, &without, series);
}

static int counted(const struct bench *bench, struct place *place, size_t rounds,
		   struct counting *counting)
{
	if (counting_start(counting) || bench_rounds(bench, place, rounds))
		return -1;
	return bench->setup ? counting_stop(counting) : 0;
}

/* The monitor is off while a variation is prepared and removed. Returns 1 as above. */
int work(const struct bench *bench, struct place *place, size_t rounds, struct counting *counting)
{
	int err = bench->setup ? counting_stop(counting) : 0;

	if (err)
		return err;
	err = bench_setup(bench, place);
	if (!err)
		err = counted(bench, place, rounds, counting);
	return cleared(bench, place, err);
}
