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

uint64_t moment_sum_since(const struct moment *a, const struct moment *b, size_t key_count)
{
	uint64_t total = 0;

	for (size_t i = 0; i < b->costs.count; i++) {
		const struct cost *cost = &b->costs.rows[i];
		const struct cost *old = costs_find(&a->costs, cost->keys, key_count);

		total += moment_since(old ? old->sum : 0, cost->sum);
	}
	return total;
}
