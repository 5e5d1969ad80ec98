/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_SLICES_H
#define LSMPMON_SLICES_H

#include <stddef.h>

#include "traced.h"

/* Of the slices that nothing is around. */
#define NO_PARENT ((size_t)-1)

/**
 * struct slice - a hook call as an interval of time
 * @traced: the call
 * @at: when its event was written, in nanoseconds
 * @end: when it ended, at the latest
 * @parent: the place of the slice around it, or NO_PARENT
 */
struct slice {
	struct traced traced;
	uint64_t at;
	uint64_t end;
	size_t parent;
};

/**
 * struct slices - calls of one task, of which some may still turn out to be inside another one
 * @slice: in the order of their events
 * @count: how many
 */
struct slices {
	struct slice *slice;
	size_t count;
};

/* Add the call whose event comes next. */
void slices_add(struct slices *slices, const struct traced *traced, uint64_t at);

/*
 * Fit all of them into each other: nothing is around the last one. None begins before *@from, which becomes the end of the
 * last one.
 */
void slices_fit(struct slices *slices, uint64_t *from);

uint64_t slice_begin(const struct slice *slice);

#endif
