/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COMPARISON_H
#define LSMPMON_COMPARISON_H

#include "side.h"

#define SIDES_MAX 26
#define ROW_ALL "(all)"

/**
 * struct change - of a row, from the first side to another
 * @is_known: it is on both sides
 * @has_half: @half is known
 * @has_chance: @chance is known
 * @percent: of the mean call's time
 * @half: half of the interval in which that is by 95 %, taken by itself, in percent points
 * @chance: how likely chance alone brings as much, by Holm over the whole table
 */
struct change {
	bool is_known;
	bool has_half;
	bool has_chance;
	double percent;
	double half;
	double chance;
};

/**
 * struct compared - a row
 * @keys: its names; all NULL: of all rows together
 * @costs: of each side; a count and sum of zero where it has none
 * @is_there: which sides have it
 * @samples: mean calls of each side
 * @changes: of each side but the first
 */
struct compared {
	const char *keys[KEYS_MAX];
	struct cost costs[SIDES_MAX];
	bool is_there[SIDES_MAX];
	struct samples samples[SIDES_MAX];
	struct change changes[SIDES_MAX];
};

/**
 * struct comparison - of two sides or more
 * @sides: the first is what others are compared with
 * @side_count: how many
 * @grouping: what rows are
 * @is_exact: instructions are counted, which chance does not change
 * @by_boot: each side has two boots or more: what is said of certainty holds beyond them
 * @rows: all
 * @row_count: how many
 */
struct comparison {
	struct side sides[SIDES_MAX];
	size_t side_count;
	struct grouping grouping;
	bool is_exact;
	bool by_boot;
	struct compared *rows;
	size_t row_count;
};

/* 0, or -1 after a complaint. To be freed either way. */
int comparison_load(struct comparison *comparison, const char *const *paths, size_t count,
		    const char *by, enum unit unit);

/* Rows, without those of fewer calls a run than @min_count on any side that has them. */
void comparison_make(struct comparison *comparison, size_t min_count);
void comparison_free(struct comparison *comparison);

/* More than chance. */
bool change_is_sure(const struct change *change);

/* Calls or time of a run of that side, on the average. */
double side_per_run(const struct side *side, uint64_t number);

#endif
