// SPDX-License-Identifier: GPL-2.0-only
#include "moment.h"

#include <stdbool.h>
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

uint64_t moment_since(uint64_t before, uint64_t after)
{
	return after >= before ? after - before : after;
}

struct cost moment_cost_since(const struct cost *old, const struct cost *cost)
{
	static const struct cost none;
	const struct cost *before = old ?: &none;
	struct cost since = {
		.count = moment_since(before->count, cost->count),
		.cs_count = moment_since(before->cs_count, cost->cs_count),
		.timed = moment_since(before->timed, cost->timed),
		.timed_sum = moment_since(before->timed_sum, cost->timed_sum),
	};

	cost_estimate(&since);
	return since;
}

/* Whether two rows differ only in who pays. */
static bool is_beside(const struct grouping *grouping, const struct cost *a, const struct cost *b)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		if ((int)i != other_key(grouping) && strcmp(a->keys[i], b->keys[i]))
			return false;
	return true;
}

/* A row that has fewer calls than before began again. */
static bool is_gone(const struct cost *old, const struct cost *now)
{
	return !now || now->count + now->cs_count < old->count + old->cs_count;
}

static void add_gone(struct cost *before, const struct cost *old)
{
	before->count += old->count;
	before->cs_count += old->cs_count;
	before->timed += old->timed;
	before->timed_sum += old->timed_sum;
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
			add_gone(&before, row);
	}
	return moment_cost_since(&before, cost);
}

uint64_t moment_sum_since(const struct moment *a, const struct moment *b, const struct grouping *grouping)
{
	uint64_t total = 0;

	for (size_t i = 0; i < b->costs.count; i++)
		total += moment_row_since(a, b, grouping, &b->costs.rows[i]).sum;
	return total;
}
