// SPDX-License-Identifier: GPL-2.0-only
/* Runs one sub-benchmark: timed, or a counted number of rounds without a clock. */

#include "measure.h"

#include <stdlib.h>

#include "clock.h"

int work(const struct bench *bench, struct place *place, size_t rounds)
{
	place->size = bench->size;
	for (size_t i = 0; i < rounds; i++)
		if (bench_round(bench, place))
			return -1;
	return 0;
}

static int sample_call(const struct bench *bench, struct place *place, double *sample)
{
	uint64_t begin, end;
	int err;

	if (bench_before(bench, place))
		return -1;
	begin = clock_ticks();
	err = bench->call(place);
	end = clock_ticks();
	*sample = end - begin;
	return err ? err : bench_after(bench, place);
}

static int sample_loop(const struct bench *bench, struct place *place, size_t rounds,
		       double *sample)
{
	uint64_t begin = clock_ticks();
	int err = work(bench, place, rounds);

	*sample = (double)(clock_ticks() - begin) / rounds;
	return err;
}

static int sample_all(const struct bench *bench, struct place *place, const struct plan *plan,
		      double *samples)
{
	int err = work(bench, place, plan->warmup);

	for (size_t i = 0; !err && i < plan->runs; i++)
		err = plan->loop ? sample_loop(bench, place, plan->loop, &samples[i]) :
				   sample_call(bench, place, &samples[i]);
	return err;
}

int measure(const struct bench *bench, struct place *place, const struct plan *plan,
	    struct stats *stats)
{
	double *samples = calloc(plan->runs, sizeof(*samples));
	int err;

	if (!samples)
		return -1;
	/* Touched before the first sample: a page fault is not what is measured. */
	for (size_t i = 0; i < plan->runs; i++)
		((volatile double *)samples)[i] = 0;
	err = sample_all(bench, place, plan, samples);
	if (!err)
		*stats = stats_of(samples, plan->runs);
	free(samples);
	return err;
}

static int call_nothing(struct place *place)
{
	(void)place;
	return 0;
}

/* What the harness itself reads, in the way it reads a call. It is shown, never subtracted. */
int measure_empty(const struct plan *plan, struct stats *stats)
{
	static const struct bench empty = { .name = "(empty)", .call = call_nothing };
	static struct place nowhere;

	return measure(&empty, &nowhere, plan, stats);
}
