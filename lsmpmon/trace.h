/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: calls of the trace events
 */

#ifndef _SECURITY_LSMPMON_TRACE_H
#define _SECURITY_LSMPMON_TRACE_H

#include <linux/lsmpmon_hooks.h>
#include <linux/tracepoint-defs.h>

#include "store.h"

DECLARE_TRACEPOINT(lsm_hook_enter);
DECLARE_TRACEPOINT(lsm_hook_object);
DECLARE_TRACEPOINT(lsm_hook_exit);

void lsmpmon_trace_functions(const void *const *by_hook);
void lsmpmon_do_trace_enter(enum lsmpmon_hook hook);
void lsmpmon_do_trace_exit(const struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			   int rc, u64 ticks, const struct lsmpmon_time *time);

static __always_inline void lsmpmon_trace_enter(enum lsmpmon_hook hook)
{
	if (tracepoint_enabled(lsm_hook_enter))
		lsmpmon_do_trace_enter(hook);
}

static __always_inline void
lsmpmon_trace_exit(const struct lsmpmon_frame *frame, enum lsmpmon_hook hook, int rc,
		   u64 ticks, const struct lsmpmon_time *time)
{
	if (tracepoint_enabled(lsm_hook_exit) || tracepoint_enabled(lsm_hook_object))
		lsmpmon_do_trace_exit(frame, hook, rc, ticks, time);
}

#endif /* _SECURITY_LSMPMON_TRACE_H */
