// SPDX-License-Identifier: GPL-2.0-only
/* What changed from one side to the others, and how likely it is that chance did it. */

#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"
#include "student.h"
#include "unlike.h"

double side_per_run(const struct side *side, uint64_t number)
{
	return (double)number / side->record.run_count;
}

bool change_is_sure(const struct change *change)
{
	return change->has_chance && change->chance < SIGNIFICANCE_LEVEL;
}

static int check_units(const struct comparison *comparison)
{
	const char *first = comparison->sides[0].scale.name;

	for (size_t i = 1; i < comparison->side_count; i++) {
		const char *name = comparison->sides[i].scale.name;

		if (strcmp(first, name))
			return complain("A is in %s, %c in %s: they cannot be compared", first,
					(char)('A' + i), name);
	}
	return 0;
}

static size_t find_older(const struct comparison *comparison)
{
	size_t i = 0;

	while (i < comparison->side_count && comparison->sides[i].all.has_switched)
		i++;
	return i;
}

bool comparison_has_switched(const struct comparison *comparison)
{
	return comparison->older == comparison->side_count;
}

/* Compare what all sides have. */
static int level(struct comparison *comparison)
{
	int error = 0;

	comparison->older = find_older(comparison);
	if (comparison_has_switched(comparison))
		return 0;
	comparison->grouping.ignores_switched = true;
	for (size_t i = 0; i < comparison->side_count && !error; i++) {
		if (!comparison->sides[i].all.has_switched)
			continue;
		comparison->is_mixed = true;
		error = side_regroup(&comparison->sides[i], &comparison->grouping);
	}
	return error;
}

static bool all_have_boots(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->side_count; i++)
		if (comparison->sides[i].boots < 2)
			return false;
	return true;
}

int comparison_load(struct comparison *comparison, const char *const *paths, size_t count,
		    const struct grouping *grouping, enum unit unit, enum time time, enum statistic statistic)
{
	*comparison = (struct comparison){ .grouping = *grouping, .time = time, .statistic = statistic };
	while (comparison->side_count < count) {
		size_t i = comparison->side_count++;

		comparison->sides[i].time = time;
		comparison->sides[i].statistic = statistic;
		if (side_load(&comparison->sides[i], paths[i], unit, &comparison->grouping))
			return -1;
	}
	if (check_units(comparison) || level(comparison))
		return -1;
	comparison->is_exact = !strcmp(comparison->sides[0].scale.name, "instructions");
	comparison->unlike = unlike(comparison);
	comparison->by_boot = all_have_boots(comparison);
	for (size_t i = 0; i < count; i++)
		if (side_check(&comparison->sides[i], 'A' + i, &comparison->grouping) ||
		    side_divide(&comparison->sides[i], comparison->by_boot, &comparison->grouping))
			return -1;
	return 0;
}

/* Numbers of calls are exact: a difference without variance is certain, and equality is not tested. */
static struct change change_of(const struct comparison *comparison, enum quantity quantity,
			       const struct samples *a, const struct samples *b)
{
	const bool is_exact = comparison->is_exact || quantity == CALLS;
	struct change change = { .is_known = a->count && b->count &&
				(a->mean > 0 || ((quantity != STATISTIC || comparison->statistic == TOTAL_TIME) && b->mean > 0)) };
	struct welch welch;

	if (!change.is_known)
		return change;
	change.percent = a->mean > 0 ? 100 * (b->mean - a->mean) / a->mean : INFINITY;
	change.has_half = welch_test(a, b, is_exact, &welch);
	if (!change.has_half)
		return change;
	change.half = a->mean > 0 ? welch.half * 100 / a->mean : INFINITY;
	change.chance = welch.chance;
	change.has_chance = comparison->by_boot && (quantity != CALLS || a->squares || b->squares ||
						    a->mean != b->mean);
	return change;
}

static void fill_changes(struct compared *row, const struct comparison *comparison, enum quantity quantity)
{
	const char *const *keys = row->keys[0] ? row->keys : NULL;
	struct samples first, samples;

	for (size_t i = 0; i < comparison->side_count; i++) {
		samples = side_samples(&comparison->sides[i], quantity, keys, comparison->grouping.key_count);
		if (i == 0)
			first = samples;
		if (quantity == STATISTIC)
			row->samples[i] = samples;
		row->changes[quantity][i] = change_of(comparison, quantity, &first, &samples);
	}
}

static void fill(struct compared *row, const struct comparison *comparison)
{
	const char *const *keys = row->keys[0] ? row->keys : NULL;
	size_t key_count = comparison->grouping.key_count;

	for (size_t i = 0; i < comparison->side_count; i++) {
		const struct side *side = &comparison->sides[i];
		const struct cost *cost = keys ? costs_find(&side->all, keys, key_count) : NULL;

		row->is_there[i] = cost || !keys;
		if (cost)
			row->costs[i] = *cost;
		else if (!keys)
			row->costs[i] = side_total(side);
	}
	for (enum quantity quantity = 0; quantity < QUANTITIES; quantity++)
		fill_changes(row, comparison, quantity);
}

/* On each side: many calls where there were few are a change. */
static bool has_few(const struct compared *row, const struct comparison *comparison, size_t least)
{
	for (size_t i = 0; i < comparison->side_count; i++) {
		const struct cost *cost = &row->costs[i];

		if (row->is_there[i] && side_per_run(&comparison->sides[i], cost_calls(cost)) >=
					(double)least)
			return false;
	}
	return true;
}

static void add(struct comparison *comparison, const struct cost *cost, size_t min_count)
{
	struct compared *row;

	comparison->rows = xgrow(comparison->rows, comparison->row_count, sizeof(*row));
	row = &comparison->rows[comparison->row_count];
	*row = (struct compared){ 0 };
	if (cost)
		memcpy(row->keys, cost->keys, sizeof(row->keys));
	fill(row, comparison);
	if (!cost || !has_few(row, comparison, min_count))
		comparison->row_count++;
}

/* No earlier side has this row. */
static bool is_first(const struct comparison *comparison, size_t side, const struct cost *cost)
{
	for (size_t i = 0; i < side; i++)
		if (costs_find(&comparison->sides[i].all, cost->keys, comparison->grouping.key_count))
			return false;
	return true;
}

/* Pointers to the p-values of all rows but the totals, for the caller to free. */
static double **chances_of(struct comparison *comparison, enum quantity last, size_t *count)
{
	double **chances = xcalloc(comparison->row_count * comparison->side_count * QUANTITIES, sizeof(*chances));

	*count = 0;
	for (size_t i = 1; i < comparison->row_count; i++)
		for (enum quantity quantity = 0; quantity <= last; quantity++)
			for (size_t side = 1; side < comparison->side_count; side++) {
				struct change *change = &comparison->rows[i].changes[quantity][side];

				if (change->has_chance)
					chances[(*count)++] = &change->chance;
			}
	return chances;
}

/* With many rows some look changed by chance: adjust for the number of tests that are looked at. */
static void adjust(struct comparison *comparison, enum quantity last)
{
	size_t count;
	double **chances = chances_of(comparison, last, &count);

	holm(chances, count);
	free(chances);
}

void comparison_make(struct comparison *comparison, size_t min_count, bool is_gate)
{
	const enum quantity last = is_gate ? CALLS : STATISTIC;

	add(comparison, NULL, 0);
	for (size_t side = 0; side < comparison->side_count; side++) {
		const struct costs *all = &comparison->sides[side].all;

		for (size_t i = 0; i < all->count; i++)
			if (is_first(comparison, side, &all->rows[i]))
				add(comparison, &all->rows[i], min_count);
	}
	/* The totals, which come first, are a question of their own, whatever the number of rows below them. */
	adjust(comparison, last);
}

void comparison_free(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->side_count; i++)
		side_free(&comparison->sides[i]);
	free(comparison->unlike);
	free(comparison->rows);
}
