// SPDX-License-Identifier: GPL-2.0-only
#include "other.h"

#include <string.h>

#include "alloc.h"

bool other_pays(const struct grouping *grouping, size_t key)
{
	/* A task is another payer in each system call. */
	if (!strcmp(grouping->table, "tasks"))
		return strcmp(grouping->keys[key], "hook");
	return !strcmp(grouping->keys[key], "comm") || !strcmp(grouping->keys[key], "cgroup");
}

int other_key(const struct grouping *grouping)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		if (other_pays(grouping, i))
			return i;
	return -1;
}

bool other_is(const struct grouping *grouping, const struct cost *cost)
{
	int key = other_key(grouping);

	return key >= 0 && !strcmp(cost->keys[key], "other");
}

void other_add(struct other *other, const struct cost *cost)
{
	uint64_t calls = cost_calls(cost);

	other->all_calls += calls;
	other->all_ticks += cost->times.own;
	if (!other_is(other->grouping, cost))
		return;
	other->calls += calls;
	other->ticks += cost->times.own;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * part / all : 0;
}

/* Who have no lines of their own. */
static const char *who(const struct grouping *grouping)
{
	if (!strcmp(grouping->table, "tasks"))
		return "tasks that others crowd out";
	if (!strcmp(grouping->table, "comms"))
		return "names that others crowd out";
	return "cgroups that were removed, or that others crowd out";
}

char *other_text(const struct other *other)
{
	if (other_key(other->grouping) < 0 || !other->calls)
		return NULL;
	return xasprintf("%.3g %% of these calls and %.3g %% of their time are in 'other': of %s.",
			 percent(other->calls, other->all_calls), percent(other->ticks, other->all_ticks), who(other->grouping));
}
