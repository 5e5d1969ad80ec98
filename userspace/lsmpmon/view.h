/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_VIEW_H
#define LSMPMON_VIEW_H

#include "costs.h"
#include "sheet.h"

/**
 * struct view - which costs to show, and how
 * @grouping: what a row stands for
 * @unit: unit of times
 * @time: which of them ave, sum, share and quantiles are
 * @sort: column to sort by; NULL for sum
 * @top: maximum number of rows; 0 for all
 * @quantiles: show quantiles
 */
struct view {
	struct grouping grouping;
	enum unit unit;
	enum time time;
	const char *sort;
	size_t top;
	bool quantiles;
};

/* Fill a sheet named @name with the costs of a record. Returns 0, or -1 after a complaint. */
int view_costs(const struct view *view, const char *name, const struct record *record,
	       struct sheet *sheet);

#endif
