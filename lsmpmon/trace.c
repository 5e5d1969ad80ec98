// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: calls of the trace events
 *
 * The events work whether measuring is on or off.
 */

#include <linux/init.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>

#include "access.h"
#include "clock.h"
#include "denial.h"
#include "disturbance.h"
#include "hook.h"
#include "keys.h"
#include "module.h"
#include "operation.h"
#include "trace.h"
#include "watch.h"

#ifdef CONFIG_EVENT_TRACING

/*
 * Marking of disturbed spans needs probes on other tracepoints.  These cannot be
 * registered from the regfunc of an event, where the lock of tracepoints is held,
 * so do it around trace_event_reg().
 */
static int lsmpmon_event_reg(struct trace_event_call *call, enum trace_reg type,
			     void *data)
{
	bool begins = type == TRACE_REG_REGISTER;
	bool ends = type == TRACE_REG_UNREGISTER;
	int err;

#ifdef CONFIG_PERF_EVENTS
	begins |= type == TRACE_REG_PERF_REGISTER;
	ends |= type == TRACE_REG_PERF_UNREGISTER;
#endif
	err = begins ? lsmpmon_disturbance_watch() : 0;
	if (err)
		return err;
	err = trace_event_reg(call, type, data);
	if (ends || (begins && err))
		lsmpmon_disturbance_unwatch();
	return err;
}

/*
 * Define the event classes with lsmpmon_event_reg(), since trace_event= on the
 * command line enables events before any initcall of the monitor.
 */
#define trace_event_reg lsmpmon_event_reg

#endif

#define CREATE_TRACE_POINTS
#include <trace/events/lsmpmon.h>

#undef trace_event_reg

/*
 * Attaching a BPF program to a raw tracepoint does not call lsmpmon_event_reg().
 * Mark disturbed spans while there may be such a program.
 */
static void lsmpmon_trace_settle(struct work_struct *work)
{
	static bool watching;	/* a work item runs once at a time */
	const bool traced = static_key_enabled(&lsmpmon_traced);

	if (traced && !watching) {
		watching = !lsmpmon_disturbance_watch();
	} else if (!traced && watching) {
		lsmpmon_disturbance_unwatch();
		watching = false;
	}
}

static DECLARE_WORK(lsmpmon_trace_work, lsmpmon_trace_settle);

/**
 * lsmpmon_trace_reg - regfunc of the events, for the first user of an event
 *
 * Context: process context or early boot, under the lock of tracepoints.
 * Return: 0.
 */
int lsmpmon_trace_reg(void)
{
	lsmpmon_watch(LSMPMON_USER_TRACE);
	schedule_work(&lsmpmon_trace_work);
	return 0;
}

/**
 * lsmpmon_trace_unreg - unregfunc of the events, for the last user of an event
 *
 * Context: as lsmpmon_trace_reg().
 */
void lsmpmon_trace_unreg(void)
{
	lsmpmon_unwatch(LSMPMON_USER_TRACE);
	schedule_work(&lsmpmon_trace_work);
}

#ifdef CONFIG_PERF_EVENTS

/**
 * lsmpmon_trace_may_perf - check whether the caller may open an event with perf
 * @event: the perf event; inherited copies were checked with their parent
 *
 * Perf lets users count events of their own tasks.  These events would make the
 * hook calls of all tasks take the traced path, and expose timings.
 *
 * Context: process context.
 * Return: 0, or -EPERM as lsmpmon_may_watch().
 */
int lsmpmon_trace_may_perf(const struct perf_event *event)
{
	return event->parent ? 0 : lsmpmon_may_watch(LOCKDOWN_PERF);
}

#endif

/*
 * A consumer of an event, such as a BPF program, may call hooks.  These calls are
 * counted but not traced, which would recurse.  Return false if this context is
 * tracing already; mark it otherwise.
 */
static bool lsmpmon_trace_begin(unsigned int *bit)
{
	unsigned int *tracing = &current->lsmpmon.tracing;

	*bit = 1 << interrupt_context_level();
	/* An interrupt in between restores the old value. */
	if (READ_ONCE(*tracing) & *bit)
		return false;
	WRITE_ONCE(*tracing, READ_ONCE(*tracing) | *bit);
	barrier();
	return true;
}

static void lsmpmon_trace_end(unsigned int bit)
{
	unsigned int *tracing = &current->lsmpmon.tracing;

	barrier();
	WRITE_ONCE(*tracing, READ_ONCE(*tracing) & ~bit);
}

/**
 * lsmpmon_do_trace_enter - trace the beginning of a hook call
 * @hook: number of the hook
 *
 * Context: any.
 */
void lsmpmon_do_trace_enter(enum lsmpmon_hook hook)
{
	unsigned int bit;

	if (!lsmpmon_trace_begin(&bit))
		return;
	trace_lsm_hook_enter(lsmpmon_hook_name(hook),
			     lsmpmon_module_count(hook));
	lsmpmon_trace_end(bit);
}

/**
 * lsmpmon_do_trace_exit - trace the end of a hook call
 * @hook: number of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 * @ticks: duration of the call; shown as 0 if the clock went back
 * @time: times of the call if it was disturbed, else NULL
 *
 * Context: any.
 */
void lsmpmon_do_trace_exit(enum lsmpmon_hook hook, int rc, u64 ticks,
			   const struct lsmpmon_time *time)
{
	const char *verdict = lsmpmon_denies(rc) ? "deny" : "allow";
	char syscall[LSMPMON_OPERATION_NAME];
	unsigned int bit;

	if (!lsmpmon_trace_begin(&bit))
		return;
	if (time && time->backwards)
		ticks = 0;
	if (lsmpmon_hook_is_void(hook))
		verdict = "none";
	lsmpmon_operation_name(lsmpmon_operation(), syscall,
			       sizeof(syscall));
	trace_lsm_hook_exit(lsmpmon_hook_name(hook), lsmpmon_module_count(hook),
			    lsmpmon_ticks_to_ns(ticks), ticks, rc, verdict,
			    syscall, lsmpmon_is_switched(time),
			    time && !lsmpmon_is_switched(time));
	lsmpmon_trace_end(bit);
}
