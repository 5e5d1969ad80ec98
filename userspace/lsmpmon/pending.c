// SPDX-License-Identifier: GPL-2.0-only
/* Calls and the stacks that the kernel writes after them, brought together. */

#include "pending.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"

void pending_add(struct pending *pending, const struct seen *seen, int cpu)
{
	pending->calls = xgrow(pending->calls, pending->count, sizeof(*pending->calls));
	pending->calls[pending->count++] = (struct waiting){ .seen = *seen, .cpu = cpu };
}

struct seen *pending_take_stack(struct pending *pending, int cpu)
{
	for (size_t i = pending->count; i > 0; i--) {
		struct waiting *call = &pending->calls[i - 1];

		if (call->cpu != cpu || call->is_ready)
			continue;
		call->is_ready = true;
		return &call->seen;
	}
	return NULL;
}

void pending_end_round(struct pending *pending)
{
	for (size_t i = 0; i < pending->count; i++) {
		pending->calls[i].is_ready |= pending->calls[i].is_old;
		pending->calls[i].is_old = true;
	}
}

void pending_give_up(struct pending *pending)
{
	for (size_t i = 0; i < pending->count; i++)
		pending->calls[i].is_ready = true;
}

static void forget(struct pending *pending, size_t count)
{
	for (size_t i = 0; i < count; i++)
		seen_free(&pending->calls[i].seen);
	pending->count -= count;
	if (pending->count)
		memmove(pending->calls, pending->calls + count, pending->count * sizeof(*pending->calls));
}

bool pending_hand_on(struct pending *pending, seen_function take, void *context)
{
	bool goes_on = true;
	size_t count = 0;

	while (goes_on && count < pending->count && pending->calls[count].is_ready)
		goes_on = take(&pending->calls[count++].seen, context);
	forget(pending, count);
	return goes_on;
}

void pending_free(struct pending *pending)
{
	forget(pending, pending->count);
	free(pending->calls);
	pending->calls = NULL;
}
