// SPDX-License-Identifier: GPL-2.0-only
/* One side of a comparison: its runs, and which of them are independent samples. */

#include "side.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"

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

static double quantity_of(const struct cost *cost, enum quantity quantity, const struct side *side, size_t runs)
{
	switch (quantity) {
	case MEAN:
		return cost_ave(cost, side->time) * side->scale.per_tick;
	case TIME:
		return times_of(&cost->times, side->time) * side->scale.per_tick / runs;
	default:
		return (double)cost_calls(cost) / runs;
	}
}

struct samples side_samples(const struct side *side, enum quantity quantity, const char *const *keys,
			    size_t key_count)
{
	struct samples samples = { 0 };

	for (size_t i = 0; i < side->part_count; i++) {
		const struct part *part = &side->parts[i];
		struct cost cost = keys ? cost_of(&part->costs, keys, key_count) : total_of(&part->costs);

		/* Where nothing was called there is no mean call, but there are no calls and no time. */
		if (cost_with(&cost, side->time) || quantity != MEAN)
			samples_add(&samples, quantity_of(&cost, quantity, side, part->runs));
	}
	return samples;
}

int side_check(const struct side *side, char letter, const struct grouping *grouping)
{
	const struct record *record = &side->record;

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
	for (size_t i = 0; i < side->part_count; i++)
		costs_free(&side->parts[i].costs);
	free(side->parts);
	costs_free(&side->all);
	record_free(&side->record);
}
