/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events of the LSM performance monitor, shared by its tests
 */

#ifndef EVENTS_H
#define EVENTS_H

#include "lsmmon.h"

#define TRACING		"/sys/kernel/tracing/"
#define EVENTS		TRACING "events/lsmpmon/"
#define EXIT		"lsm_hook_exit/"

/* Number of a hook in the events, which is its place in result; -1 if there is none. */
static inline int hook_number(const char *name)
{
	static struct result result;
	const struct hook *hook;

	if (lsmmon_result(&result))
		return -1;
	hook = lsmmon_hook(&result, name);
	return hook ? hook - result.hook : -1;
}

/* A filter for the calls of a hook; returns @text. */
static inline const char *hook_filter(char *text, size_t size, const char *name,
				      const char *further)
{
	snprintf(text, size, "hook == %d%s", hook_number(name), further);
	return text;
}

/* The nanoseconds of @ticks. */
static inline double ticks_in_ns(unsigned long long ticks)
{
	return ticks * 1e6 / lsmmon_info("clock_khz");
}

/*
 * Whether events of some calls have @ns nanoseconds in sum, as calls of @ticks in sum
 * do.  Each is rounded down, and the factor of the kernel has 21 bits at the least.
 */
static inline int is_same_time(double ns, unsigned long long ticks, int calls)
{
	const double exact = ticks_in_ns(ticks);

	return ns < exact + 1 && ns > exact - calls - exact / (1 << 20) - 1;
}

#endif /* EVENTS_H */
