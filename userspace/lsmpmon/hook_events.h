/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_HOOK_EVENTS_H
#define LSMPMON_HOOK_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "pending.h"

struct hook_events;

/**
 * struct hook_events_wanted - which hook calls to see
 * @ns: those that take longer
 * @hook: only those of this hook; NULL for all
 * @hook_number: its place in lsmmon/result, from 0
 * @stack: with the stack of the kernel
 */
struct hook_events_wanted {
	uint64_t ns;
	const char *hook;
	int hook_number;
	bool stack;
};

/* Whether the kernel has the event, in @dir, or if that is NULL in tracefs. Returns 0, or -1 after a complaint. */
int hook_events_find(const char *dir);

/*
 * Let the kernel write the calls of all tasks but this one, into a buffer that nobody else uses. Returns NULL after a
 * complaint.
 */
struct hook_events *hook_events_begin(const struct hook_events_wanted *wanted);

/*
 * Wait for calls, up to @seconds or until a signal comes, and give them to @take, as long as there are more or until it
 * wants no more. Returns 0, or -1 after a complaint.
 */
int hook_events_read(struct hook_events *events, double seconds, seen_function take, void *context);

/* See no calls from now on. Those until now can be read. Returns 0, or -1 after a complaint. */
int hook_events_stop(struct hook_events *events);

/*
 * Remove all that was made in the kernel. @lost is how many events, calls or stacks, there was no room for. Returns 0, or
 * -1 after a complaint.
 */
int hook_events_end(struct hook_events *events, uint64_t *lost);

#endif
