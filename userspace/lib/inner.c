// SPDX-License-Identifier: GPL-2.0-only
#include "inner.h"

#include <string.h>

#include "run.h"

/* What the kernel calls the place of hook calls that are in no other. */
#define OUTSIDE "-"

static bool was_measured(const struct record *record)
{
	for (size_t i = 0; i < record->run_count; i++)
		if (!run_text(&record->runs[i], "nested") || !run_has_feature(&record->runs[i], "nested"))
			return false;
	return record->run_count && record_timed(record) == 1;
}

static int read_by(struct costs *costs, const struct record *record, const char *by)
{
	struct grouping grouping;

	return grouping_parse(&grouping, by) || costs_read(costs, record->runs, record->run_count, &grouping) ? -1 : 0;
}

int inner_read(struct inner *inner, const struct record *record, const struct grouping *grouping)
{
	*inner = (struct inner){ .hook = grouping_key(grouping, "hook"), .module = grouping_key(grouping, "module") };
	if (inner->hook < 0 || grouping->key_count != 1u + (inner->module >= 0) || !was_measured(record))
		return 0;
	inner->is_known = true;
	return read_by(&inner->costs, record, inner->module < 0 ? "outer" : "outer,module");
}

void inner_free(struct inner *inner)
{
	costs_free(&inner->costs);
}

uint64_t inner_self(const struct inner *inner, const struct cost *cost)
{
	const char *const keys[] = { cost->keys[inner->hook], inner->module < 0 ? NULL : cost->keys[inner->module] };
	const struct cost *found = costs_find(&inner->costs, keys, inner->module < 0 ? 1 : 2);
	const uint64_t within = found ? found->times.own : 0;

	return cost->times.own > within ? cost->times.own - within : 0;
}

int inner_once(uint64_t *once, const struct record *record)
{
	static const char *const outside[] = { OUTSIDE };
	const struct cost *found;
	struct costs costs;

	*once = 0;
	if (!was_measured(record))
		return 0;
	if (read_by(&costs, record, "outer"))
		return -1;
	found = costs_find(&costs, outside, 1);
	*once = found ? found->times.own : 0;
	costs_free(&costs);
	return 0;
}
