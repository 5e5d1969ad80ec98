// SPDX-License-Identifier: GPL-2.0-only
#include "moment.h"

#include <string.h>

#include "other.h"
#include "seconds.h"

void moment_forget(struct moment *moment)
{
	costs_free(&moment->costs);
	record_free(&moment->record);
}

int moment_take(struct moment *moment, const char *dir, const struct grouping *grouping)
{
	*moment = (struct moment){ 0 };
	if (record_of_monitor(&moment->record, dir))
		return -1;
	moment->at = seconds_now();
	if (!costs_read(&moment->costs, moment->record.runs, 1, grouping) &&
	    !total_read(&moment->total, &moment->record))
		return 0;
	moment_forget(moment);
	return -1;
}

struct cost moment_cost_since(const struct cost *old, const struct cost *cost)
{
	static const struct cost none;

	return cost_since(old ?: &none, cost);
}

/* Whether two rows differ only in who pays. */
static bool is_beside(const struct grouping *grouping, const struct cost *a, const struct cost *b)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		if (!other_pays(grouping, i) && strcmp(a->keys[i], b->keys[i]))
			return false;
	return true;
}

/* A row that has fewer calls than before began again. */
static bool is_gone(const struct cost *old, const struct cost *now)
{
	return !now || cost_calls(now) < cost_calls(old);
}

struct cost moment_row_since(const struct moment *a, const struct moment *b, const struct grouping *grouping,
			     const struct cost *cost)
{
	const struct cost *old = costs_find(&a->costs, cost->keys, grouping->key_count);
	struct cost before = { 0 };

	if (!other_is(grouping, cost))
		return moment_cost_since(old, cost);
	if (old)
		before = *old;
	for (size_t i = 0; i < a->costs.count; i++) {
		const struct cost *row = &a->costs.rows[i];

		if (!other_is(grouping, row) && is_beside(grouping, row, cost) &&
		    is_gone(row, costs_find(&b->costs, row->keys, grouping->key_count)))
			cost_add(&before, row);
	}
	return moment_cost_since(&before, cost);
}

struct times moment_times_since(const struct moment *a, const struct moment *b, const struct grouping *grouping)
{
	struct times all = { 0 };

	for (size_t i = 0; i < b->costs.count; i++) {
		struct cost since = moment_row_since(a, b, grouping, &b->costs.rows[i]);

		times_add(&all, &since.times);
	}
	return all;
}
