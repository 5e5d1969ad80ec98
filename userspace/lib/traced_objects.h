/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TRACED_OBJECTS_H
#define LSMPMON_TRACED_OBJECTS_H

#include <stddef.h>

#include "traced.h"

/**
 * struct traced_objects - objects whose calls come next
 * @last: by CPU, the last object with the hook and the wall time of its call; no hook if there is none
 * @count: how many CPUs have been seen
 */
struct traced_objects {
	struct traced *last;
	size_t count;
};

/* Keep an object until the call that it is of comes, on the same CPU. */
void traced_objects_keep(struct traced_objects *objects, const struct traced *object, int cpu);

/* Give a call its object, if the event before it on the same CPU had one. */
void traced_objects_give(struct traced_objects *objects, struct traced *call, int cpu);

void traced_objects_free(struct traced_objects *objects);

#endif
