/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_VIEW_H
#define LSMPMON_VIEW_H

#include "costs.h"
#include "sheet.h"

/**
 * struct view - which costs to show, and how
 * @grouping: by what calls are told apart
 * @unit: of times
 * @sort: by which column; NULL: sum
 * @top: how many rows; 0: all
 * @quantiles: show them
 */
struct view {
	struct grouping grouping;
	enum unit unit;
	const char *sort;
	size_t top;
	bool quantiles;
};

/* The costs of a record as a sheet, named @name. 0, or -1 after a complaint. */
int view_costs(const struct view *view, const char *name, const struct record *record,
	       struct sheet *sheet);

#endif
