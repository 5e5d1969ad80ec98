// SPDX-License-Identifier: GPL-2.0-only
/* Hook calls and their objects, which the kernel writes immediately before them, brought together. */

#include "traced_objects.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"

static struct traced *last_of(struct traced_objects *objects, int cpu)
{
	while (objects->count <= (size_t)cpu) {
		objects->last = xgrow(objects->last, objects->count, sizeof(*objects->last));
		objects->last[objects->count++] = (struct traced){ .depth = -1 };
	}
	return &objects->last[cpu];
}

void traced_objects_keep(struct traced_objects *objects, const struct traced *object, int cpu)
{
	*last_of(objects, cpu) = *object;
}

/* An event in between, such as one that was lost, leaves an object of another call. */
void traced_objects_give(struct traced_objects *objects, struct traced *call, int cpu)
{
	struct traced *last = last_of(objects, cpu);

	if (!strcmp(last->hook, call->hook) && last->wall == call->wall)
		memcpy(call->object, last->object, sizeof(call->object));
	*last->hook = '\0';
}

void traced_objects_free(struct traced_objects *objects)
{
	free(objects->last);
	*objects = (struct traced_objects){ 0 };
}
