// SPDX-License-Identifier: GPL-2.0-only
/* In place of tracing/, where this is built without libtracefs. */

#include "hook_events.h"

#include "complain.h"

int hook_events_find(const char *dir)
{
	(void)dir;
	return complain("this lsmpmon was built without libtracefs: install libtracefs-dev and pkg-config, and build it again");
}

struct hook_events *hook_events_begin(const struct hook_events_wanted *wanted)
{
	(void)wanted;
	return NULL;
}

int hook_events_read(struct hook_events *events, double seconds, seen_function take, void *context)
{
	(void)events, (void)seconds, (void)take, (void)context;
	return -1;
}

int hook_events_stop(struct hook_events *events)
{
	(void)events;
	return -1;
}

int hook_events_end(struct hook_events *events, uint64_t *lost)
{
	(void)events;
	*lost = 0;
	return -1;
}
