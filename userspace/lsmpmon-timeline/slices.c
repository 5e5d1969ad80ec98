// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hook calls of a task as intervals of time, each inside those around it.
 *
 * An event is written when its call has ended, an unknown time after the end, so that is at most the time of the event. A
 * call is as long as it was measured; where one does not fit between its neighbours, something is moved to an earlier time,
 * as little as possible.
 */

#include "slices.h"

#include <string.h>

#include "alloc.h"

/* A task is seldom off the CPU for so long between the end of a call and its event. */
#define LATE_NS 10000000

uint64_t slice_begin(const struct slice *slice)
{
	return slice->end > slice->traced.wall ? slice->end - slice->traced.wall : 0;
}

/* Depths tell it, if the call around it was recorded. In a recording of one hook it may not have been. */
static bool may_be_late(const struct traced *inner, const struct traced *outer)
{
	return inner->depth > outer->depth && outer->depth >= 0 && strcmp(inner->hook, outer->hook) &&
	       !strcmp(inner->syscall, outer->syscall);
}

/* Its event was written after the begin of the call around it, which that of a call before it was not. */
static bool is_inside(const struct slice *inner, const struct slice *outer)
{
	const bool is_late = may_be_late(&inner->traced, &outer->traced);

	if (inner->traced.depth >= 0 && inner->traced.depth <= outer->traced.depth)
		return false;
	return inner->traced.wall <= outer->traced.wall && inner->at + (is_late ? LATE_NS : 0) > slice_begin(outer);
}

void slices_add(struct slices *slices, const struct traced *traced, uint64_t at)
{
	struct slice *slice;
	size_t i = slices->count;

	slices->slice = xgrow(slices->slice, slices->count, sizeof(*slice));
	slice = &slices->slice[slices->count];
	*slice = (struct slice){ .traced = *traced, .at = at, .end = at, .parent = NO_PARENT };
	for (; i > 0 && is_inside(&slices->slice[i - 1], slice); i--)
		if (slices->slice[i - 1].parent == NO_PARENT)
			slices->slice[i - 1].parent = slices->count;
	slices->count++;
}

static bool move_to(struct slice *slice, uint64_t end)
{
	if (slice->end <= end)
		return false;
	slice->end = end;
	return true;
}

/* It may have to move, or the call around it. */
static bool fit_into_parent(struct slices *slices, struct slice *slice)
{
	struct slice *parent;
	bool moved;

	if (slice->parent == NO_PARENT)
		return false;
	parent = &slices->slice[slice->parent];
	moved = move_to(slice, parent->end);
	return move_to(parent, slice_begin(slice) + parent->traced.wall) || moved;
}

/* Before the next call with the same one around it. */
static bool fit_before_next(struct slices *slices, size_t i)
{
	for (size_t next = i + 1; next < slices->count && next != slices->slice[i].parent; next++)
		if (slices->slice[next].parent == slices->slice[i].parent)
			return move_to(&slices->slice[i], slice_begin(&slices->slice[next]));
	return false;
}

/* Ends only move to earlier times, and not past where they were, so this comes to an end, unless times contradict. */
static void fit(struct slices *slices)
{
	bool moved = true;

	for (size_t rounds = 0; moved && rounds <= slices->count; rounds++) {
		moved = false;
		for (size_t i = slices->count; i > 0; i--) {
			moved |= fit_into_parent(slices, &slices->slice[i - 1]);
			moved |= fit_before_next(slices, i - 1);
		}
	}
}

/* With a clock that stands still between ticks, calls one after another have the same time. */
void slices_fit(struct slices *slices, uint64_t *from)
{
	size_t first = 0;

	fit(slices);
	for (size_t i = 0; i < slices->count; i++) {
		const uint64_t begin = slice_begin(&slices->slice[i]);

		if (slices->slice[i].parent != NO_PARENT)
			continue;
		for (; first <= i; first++)
			slices->slice[first].end += begin < *from ? *from - begin : 0;
		*from = slices->slice[i].end;
	}
}
