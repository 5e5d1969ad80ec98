// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: calls of the trace events
 *
 * Tracing watches hook calls as measuring does, whether that is on or off.
 */

#include "calibrate.h"
#include "control.h"
#include "hook.h"
#include "module.h"
#include "syscall.h"
#include "trace.h"

#define CREATE_TRACE_POINTS
#include <trace/events/lsmpmon.h>

/**
 * lsmpmon_trace_reg - somebody enables an event
 *
 * Return: 0.
 */
int lsmpmon_trace_reg(void)
{
	lsmpmon_watch();
	static_branch_inc(&lsmpmon_detailed);
	return 0;
}

/**
 * lsmpmon_trace_unreg - the last one who had enabled an event disables it
 */
void lsmpmon_trace_unreg(void)
{
	static_branch_dec(&lsmpmon_detailed);
	lsmpmon_unwatch();
}

/**
 * lsmpmon_do_trace_enter - trace that a hook call begins
 * @hook: which
 *
 * Context: any.
 */
void lsmpmon_do_trace_enter(enum lsmpmon_hook hook)
{
	trace_lsm_hook_enter(lsmpmon_hook_name(hook),
			     lsmpmon_module_count(hook));
}

/**
 * lsmpmon_do_trace_exit - trace that a hook call ends
 * @hook: which
 * @rc: what it returned; 0 for void hooks and for the hook's default
 * @ticks: how long it took
 * @disturbance: what happened inside
 *
 * Context: any.
 */
void lsmpmon_do_trace_exit(enum lsmpmon_hook hook, int rc, u64 ticks,
			   enum lsmpmon_disturbance disturbance)
{
	const char *verdict = rc < 0 ? "deny" : "allow";
	char syscall[LSMPMON_OPERATION_NAME];
	u64 fallbacks = 0;

	if (lsmpmon_hook_is_void(hook))
		verdict = "none";
	lsmpmon_operation_name(lsmpmon_operation(&fallbacks), syscall,
			       sizeof(syscall));
	trace_lsm_hook_exit(lsmpmon_hook_name(hook), lsmpmon_module_count(hook),
			    lsmpmon_ticks_to_ns(ticks), ticks, rc, verdict,
			    syscall, disturbance == LSMPMON_SWITCHED,
			    disturbance == LSMPMON_INTERRUPTED);
}
