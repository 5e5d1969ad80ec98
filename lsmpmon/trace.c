// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: calls of the trace events
 *
 * Tracing watches hook calls as measuring does, whether that is on or off.
 */

#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/security.h>

#include "calibrate.h"
#include "control.h"
#include "denial.h"
#include "fs.h"
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
	static_branch_inc(&lsmpmon_traced);
	static_branch_inc(&lsmpmon_detailed);
	lsmpmon_watch();
	return 0;
}

/**
 * lsmpmon_trace_unreg - the last one who had enabled an event disables it
 */
void lsmpmon_trace_unreg(void)
{
	lsmpmon_unwatch();
	static_branch_dec(&lsmpmon_detailed);
	static_branch_dec(&lsmpmon_traced);
}

#ifdef CONFIG_PERF_EVENTS

/**
 * lsmpmon_trace_may_perf - whether the caller may have perf take an event
 * @event: the event of perf's; a copy for a child that inherits it was allowed
 *	with the original
 *
 * Perf lets anybody count events of his own.  These have everybody's hook calls
 * take the traced path, and tell times.
 *
 * Return: 0, or -EPERM as lsmpmon_may_watch().
 */
int lsmpmon_trace_may_perf(const struct perf_event *event)
{
	return event->parent ? 0 : lsmpmon_may_watch(LOCKDOWN_PERF);
}

#endif

/*
 * Whoever takes an event may call hooks himself, a BPF program for one.  Such
 * calls are counted but not traced, or each event would make the next.  Tell
 * whether this context traces already; if not, it does from now on.
 */
static bool trace_begin(unsigned int *bit)
{
	unsigned int *tracing = &current->lsmpmon.tracing;

	*bit = 1 << interrupt_context_level();
	if (*tracing & *bit)
		return false;
	*tracing |= *bit;
	barrier();
	return true;
}

static void trace_end(unsigned int bit)
{
	barrier();
	current->lsmpmon.tracing &= ~bit;
}

/**
 * lsmpmon_do_trace_enter - trace that a hook call begins
 * @hook: which
 *
 * Context: any.
 */
void lsmpmon_do_trace_enter(enum lsmpmon_hook hook)
{
	unsigned int bit;

	if (!trace_begin(&bit))
		return;
	trace_lsm_hook_enter(lsmpmon_hook_name(hook),
			     lsmpmon_module_count(hook));
	trace_end(bit);
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
	const char *verdict = lsmpmon_denies(rc) ? "deny" : "allow";
	char syscall[LSMPMON_OPERATION_NAME];
	unsigned int bit;
	bool fallback;

	if (!trace_begin(&bit))
		return;
	if (lsmpmon_hook_is_void(hook))
		verdict = "none";
	lsmpmon_operation_name(lsmpmon_operation(&fallback), syscall,
			       sizeof(syscall));
	trace_lsm_hook_exit(lsmpmon_hook_name(hook), lsmpmon_module_count(hook),
			    lsmpmon_ticks_to_ns(ticks), ticks, rc, verdict,
			    syscall, disturbance == LSMPMON_SWITCHED,
			    disturbance == LSMPMON_INTERRUPTED);
	trace_end(bit);
}
