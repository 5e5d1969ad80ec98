/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COMPARISON_H
#define LSMPMON_COMPARISON_H

#include "side.h"

#define SIDES_MAX 26
#define ROW_ALL "(all)"

/**
 * struct change - change of a quantity of one row, from the first side to another
 * @is_known: both sides have it
 * @has_half: @half is known
 * @has_chance: @chance is known
 * @percent: by how much; infinite where the first side has none
 * @half: half the width of the 95 % confidence interval of this row, in percentage points
 * @chance: p-value, adjusted by Holm's method for the tests of all rows; that of the totals is not
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
 * struct compared - a row of the comparison
 * @keys: its names; all NULL in the row of totals
 * @costs: costs on each side; zero where a side lacks the row
 * @is_there: which sides have the row
 * @samples: the statistic on each side
 * @changes: changes of each quantity, of each side but the first
 */
struct compared {
	const char *keys[KEYS_MAX];
	struct cost costs[SIDES_MAX];
	bool is_there[SIDES_MAX];
	struct samples samples[SIDES_MAX];
	struct change changes[QUANTITIES][SIDES_MAX];
};

/**
 * struct comparison - a comparison of two or more sides
 * @sides: the sides; the others are compared with the first
 * @side_count: number of sides
 * @grouping: what a row stands for
 * @time: which time is compared
 * @statistic: which statistic of it
 * @older: the first side of a kernel whose lsmpmon has no times of calls with a context switch inside, so that no
 *	such times are compared; @side_count if there is none
 * @is_mixed: another side has them
 * @is_exact: the unit is counted instructions, which do not vary by chance
 * @unlike: what makes the sides unlike besides kernel and modules; NULL if nothing does
 * @by_boot: each side has at least two boots, so certainty extends to other boots
 * @rows: the rows, that of totals first
 * @row_count: number of rows
 */
struct comparison {
	struct side sides[SIDES_MAX];
	size_t side_count;
	struct grouping grouping;
	enum time time;
	enum statistic statistic;
	size_t older;
	bool is_mixed;
	bool is_exact;
	char *unlike;
	bool by_boot;
	struct compared *rows;
	size_t row_count;
};

/* Returns 0, or -1 after a complaint. Free it in both cases. */
int comparison_load(struct comparison *comparison, const char *const *paths, size_t count,
		    const struct grouping *grouping, enum unit unit, enum time time, enum statistic statistic);

/*
 * Add the rows, except those with fewer than @min_count calls a run on each side. Adjust p-values for as many
 * tests as are looked at: with @is_gate, of every quantity, else only of the mean call.
 */
void comparison_make(struct comparison *comparison, size_t min_count, bool is_gate);
void comparison_free(struct comparison *comparison);

/* Whether the times that are compared are of all calls. */
bool comparison_has_switched(const struct comparison *comparison);

/* Whether the change is significant. */
bool change_is_sure(const struct change *change);

/* Average calls or time of one run on that side. */
double side_per_run(const struct side *side, uint64_t number);

#endif
