// SPDX-License-Identifier: GPL-2.0-only
/* One side of a comparison: its runs, and which of them are independent samples. */

#include "side.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"

static const struct { const char *name, *text; } statistics[] = {
	[MEAN_CALL] = { "ave", "a mean call" },
	[MEDIAN_CALL] = { "p50", "the median call" },
	[SHORTEST_CALL] = { "min", "the shortest call, from begin to end without a context switch inside" },
	[TOTAL_TIME] = { "total", "the time of a run" },
};

const char *statistic_name(enum statistic statistic)
{
	return statistics[statistic].name;
}

const char *statistic_text(enum statistic statistic)
{
	return statistics[statistic].text;
}

int statistic_parse(enum statistic *statistic, const char *name)
{
	for (size_t i = 0; i < sizeof(statistics) / sizeof(*statistics); i++) {
		if (strcmp(statistics[i].name, name))
			continue;
		*statistic = i;
		return 0;
	}
	return -1;
}

int side_load(struct side *side, const char *path, enum unit unit, const struct grouping *grouping)
{
	const struct record *record = &side->record;

	if (record_load_any(&side->record, path))
		return -1;
	side->boots = record_boots(record);
	return scale_for(&side->scale, record, unit) ||
	       costs_read(&side->all, record->runs, record->run_count, grouping) ? -1 : 0;
}

int side_regroup(struct side *side, const struct grouping *grouping)
{
	costs_free(&side->all);
	return costs_read(&side->all, side->record.runs, side->record.run_count, grouping);
}

static int add_part(struct side *side, const struct run *runs, size_t count,
		    const struct grouping *grouping)
{
	struct part *part = &side->parts[side->part_count++];

	part->runs = count;
	if (side->statistic == MEDIAN_CALL && histograms_read(&part->histograms, runs, count, side->time))
		return -1;
	return costs_read(&part->costs, runs, count, grouping);
}

/* Add all runs of the same boot as one part. The copies share their pointers. */
static int add_boot(struct side *side, size_t first, const struct grouping *grouping)
{
	const struct record *record = &side->record;
	struct run *runs = xcalloc(record->run_count, sizeof(*runs));
	size_t count = 0;
	int error;

	for (size_t i = first; i < record->run_count; i++)
		if (!strcmp(record->runs[i].boot, record->runs[first].boot))
			runs[count++] = record->runs[i];
	error = add_part(side, runs, count, grouping);
	free(runs);
	return error;
}

int side_divide(struct side *side, bool by_boot, const struct grouping *grouping)
{
	const struct record *record = &side->record;
	int error = 0;

	side->parts = xcalloc(record->run_count, sizeof(*side->parts));
	for (size_t i = 0; i < record->run_count && !error; i++) {
		if (!by_boot)
			error = add_part(side, &record->runs[i], 1, grouping);
		else if (record_is_new_boot(record, i))
			error = add_boot(side, i, grouping);
	}
	return error;
}

/* Each row is weighted by its calls, whether all were timed or some. */
static struct cost total_of(const struct costs *costs)
{
	struct cost all = { 0 };

	for (size_t i = 0; i < costs->count; i++)
		cost_add(&all, &costs->rows[i]);
	all.sample = all.times;
	all.timed = all.count;
	return all;
}

static struct cost cost_of(const struct costs *costs, const char *const *keys, size_t key_count)
{
	const struct cost *cost = costs_find(costs, keys, key_count);

	return cost ? *cost : (struct cost){ 0 };
}

struct cost side_total(const struct side *side)
{
	return total_of(&side->all);
}

static double median_of(const struct part *part, const char *hook)
{
	const struct histogram *histogram = hook ? histograms_find(&part->histograms, hook) : NULL;

	if (hook)
		return histogram ? histogram_median(histogram, 1) : 0;
	return histogram_median(part->histograms.rows, part->histograms.count);
}

static double time_of(const struct cost *cost, const struct side *side, const struct part *part)
{
	return (double)times_of(&cost->times, side->time) / part->runs;
}

/* In ticks. */
static double statistic_of(const struct cost *cost, const struct side *side, const struct part *part)
{
	switch (side->statistic) {
	case MEDIAN_CALL:
		return median_of(part, cost->keys[0]);
	case SHORTEST_CALL:
		return cost->min;
	case TOTAL_TIME:
		return time_of(cost, side, part);
	default:
		return cost_ave(cost, side->time);
	}
}

static double quantity_of(const struct cost *cost, enum quantity quantity, const struct side *side,
			  const struct part *part)
{
	switch (quantity) {
	case STATISTIC:
		return statistic_of(cost, side, part) * side->scale.per_tick;
	case TIME:
		return time_of(cost, side, part) * side->scale.per_tick;
	default:
		return (double)cost_calls(cost) / part->runs;
	}
}

/* Where nothing was called there is no call, but there are no calls and no time. */
static bool has_quantity(const struct cost *cost, enum quantity quantity, const struct side *side)
{
	if (quantity != STATISTIC || side->statistic == TOTAL_TIME)
		return true;
	return side->statistic == SHORTEST_CALL ? cost->timed : cost_with(cost, side->time);
}

struct samples side_samples(const struct side *side, enum quantity quantity, const char *const *keys,
			    size_t key_count)
{
	struct samples samples = { 0 };

	for (size_t i = 0; i < side->part_count; i++) {
		const struct part *part = &side->parts[i];
		struct cost cost = keys ? cost_of(&part->costs, keys, key_count) : total_of(&part->costs);

		if (has_quantity(&cost, quantity, side))
			samples_add(&samples, quantity_of(&cost, quantity, side, part));
	}
	return samples;
}

/* A median is that of a distribution. */
static int check_distributions(const struct side *side, char letter)
{
	const struct record *record = &side->record;

	for (size_t i = 0; side->statistic == MEDIAN_CALL && i < record->run_count; i++)
		if (!run_has_feature(&record->runs[i], "histogram"))
			return complain("%c ('%s'), run %zu: no distribution was measured: lsmpmon record -f histogram", letter,
					record->name, i + 1);
	return 0;
}

int side_check(const struct side *side, char letter, const struct grouping *grouping)
{
	const struct record *record = &side->record;

	if (check_distributions(side, letter))
		return -1;

	for (size_t i = 0; i < record->run_count; i++) {
		const struct run *run = &record->runs[i];
		const struct table *table = run_table(run, grouping->table);

		if (!table || table->row_count)
			continue;
		if (grouping->feature && !run_has_feature(run, grouping->feature))
			return complain("%c ('%s'), run %zu: calls were not counted by %s: lsmpmon record -f %s",
					letter, record->name, i + 1, grouping->keys[0], grouping->feature);
		return complain("%c ('%s'), run %zu: no call was counted by %s", letter, record->name, i + 1,
				grouping->keys[0]);
	}
	return 0;
}

void side_free(struct side *side)
{
	for (size_t i = 0; i < side->part_count; i++) {
		costs_free(&side->parts[i].costs);
		histograms_free(&side->parts[i].histograms);
	}
	free(side->parts);
	costs_free(&side->all);
	record_free(&side->record);
}
