// SPDX-License-Identifier: GPL-2.0-only
#include "moment.h"

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

uint64_t moment_sum_since(const struct moment *a, const struct moment *b, size_t key_count)
{
	uint64_t total = 0;

	for (size_t i = 0; i < b->costs.count; i++) {
		const struct cost *cost = &b->costs.rows[i];

		total += moment_cost_since(costs_find(&a->costs, cost->keys, key_count), cost).sum;
	}
	return total;
}
