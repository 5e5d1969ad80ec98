/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_FORMATS_H
#define LSMPMON_FORMATS_H

#include <event-parse.h>

#include "seen.h"

/**
 * struct formats - how events are read
 * @tep: knows their formats, and the names of functions if stacks are read
 * @call: the event at the end of a hook call
 * @object: the event before it, with its object; NULL if the kernel has none
 * @stack: the event that has a stack; NULL if none is read
 */
struct formats {
	struct tep_handle *tep;
	struct tep_event *call;
	struct tep_event *object;
	struct tep_event *stack;
};

/* Returns 0, or -1 after a complaint. To be freed in both cases. */
int formats_learn(struct formats *formats, bool has_stack);
void formats_free(struct formats *formats);

/* Whether the event has the name of the hook, and not its number, as it had before it had own time. */
bool formats_has_names(const struct formats *formats);

/* Returns 0, or -1 after a complaint. */
int formats_read_call(const struct formats *formats, struct tep_record *record, struct traced *traced);

/* The hook, the wall time and the object. Returns 0, or -1 after a complaint. */
int formats_read_object(const struct formats *formats, struct tep_record *record, struct traced *traced);

/* Add the functions of a stack, from the hook call outwards. */
void formats_read_stack(const struct formats *formats, struct tep_record *record, struct seen *seen);

#endif
