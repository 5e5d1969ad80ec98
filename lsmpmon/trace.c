// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: calls of the trace events
 *
 * The events work whether measuring is on or off.
 */

#include <linux/build_bug.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/limits.h>
#include <linux/lsmpmon_task.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>

#include "access.h"
#include "cell.h"
#include "clock.h"
#include "compat.h"
#include "describe.h"
#include "disturbance.h"
#include "hook.h"
#include "keys.h"
#include "module.h"
#include "operation.h"
#include "trace.h"

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

#ifdef __CHECKER__
/* Sparse turns no lists of that length into strings. */
#define LSMPMON_TRACE_HOOKS	{ 0, "-" }
#define LSMPMON_TRACE_CALLS	{ LSMPMON_TRACE_NO_CALL, "-" }
#else
#include "trace_names.h"
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

/*
 * By hook, the number of modules that implement it plus one; 0 if it is not known.
 * Counting takes longer than the rest of an event.
 */
static u8 modules[LSMPMON_HOOKS];

static_assert(LSMPMON_PLACES < U8_MAX);
static_assert(LSMPMON_HOOKS <= U16_MAX);
static_assert(LSMPMON_NATIVE_CALLS <= LSMPMON_TRACE_COMPAT);
static_assert(LSMPMON_TRACE_COMPAT + LSMPMON_COMPAT_CALLS <= LSMPMON_TRACE_URING);
static_assert(LSMPMON_TRACE_URING + IORING_OP_LAST <= LSMPMON_TRACE_NO_CALL);

static unsigned int lsmpmon_traced_modules(enum lsmpmon_hook hook)
{
	unsigned int count = READ_ONCE(modules[hook]);

	if (likely(count))
		return count - 1;
	count = lsmpmon_module_count(hook);
	/* All modules are initialised before the state changes. */
	if (system_state != SYSTEM_BOOTING)
		WRITE_ONCE(modules[hook], count + 1);
	return count;
}

/**
 * lsmpmon_trace_reg - regfunc of the events, for the first user of an event
 *
 * Context: process context or early boot, under the lock of tracepoints.
 * Return: 0.
 */
int lsmpmon_trace_reg(void)
{
	unsigned int hook;

	/* A module may have gone since.  The other event may be in use. */
	for (hook = 0; hook < LSMPMON_HOOKS; hook++)
		WRITE_ONCE(modules[hook], 0);
	lsmpmon_keys_use(LSMPMON_USER_TRACE);
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
	lsmpmon_keys_unuse(LSMPMON_USER_TRACE);
	schedule_work(&lsmpmon_trace_work);
}

/**
 * lsmpmon_trace_object_reg - regfunc of lsm_hook_object
 *
 * Context: as lsmpmon_trace_reg().
 * Return: 0.
 */
int lsmpmon_trace_object_reg(void)
{
	lsmpmon_keys_use(LSMPMON_USER_TRACE_OBJECT);
	return lsmpmon_trace_reg();
}

/**
 * lsmpmon_trace_object_unreg - unregfunc of lsm_hook_object
 *
 * Context: as lsmpmon_trace_reg().
 */
void lsmpmon_trace_object_unreg(void)
{
	lsmpmon_trace_unreg();
	lsmpmon_keys_unuse(LSMPMON_USER_TRACE_OBJECT);
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
static __always_inline bool lsmpmon_trace_begin(unsigned int *bit)
{
	u8 *tracing = &lsmpmon_of(current)->tracing;

	*bit = 1 << interrupt_context_level();
	/* An interrupt in between restores the old value. */
	if (READ_ONCE(*tracing) & *bit)
		return false;
	WRITE_ONCE(*tracing, READ_ONCE(*tracing) | *bit);
	barrier();
	return true;
}

static __always_inline void lsmpmon_trace_end(unsigned int bit)
{
	u8 *tracing = &lsmpmon_of(current)->tracing;

	barrier();
	WRITE_ONCE(*tracing, READ_ONCE(*tracing) & ~bit);
}

/* Functions by hook; NULL before lsmpmon_init(). */
static const void *const *functions __ro_after_init;

/**
 * lsmpmon_trace_functions - set what @func of the events is
 * @by_hook: by hook, the function that calls its callbacks
 *
 * Context: lsmpmon_init().
 */
void __init lsmpmon_trace_functions(const void *const *by_hook)
{
	functions = by_hook;
}

/* Hook calls in progress, interrupted ones included. */
static unsigned int lsmpmon_depth(void)
{
	const struct lsmpmon_span *span;
	unsigned int depth = 0;

	for (span = READ_ONCE(lsmpmon_of(current)->span); span; span = span->outer)
		depth++;
	return depth;
}

static void lsmpmon_event_set(struct lsmpmon_event *event, enum lsmpmon_hook hook)
{
	event->func = likely(functions) ? (unsigned long)functions[hook] : 0;
	event->hook = hook;
	event->modules = lsmpmon_traced_modules(hook);
	event->depth = lsmpmon_depth();
}

/**
 * lsmpmon_do_trace_enter - trace the beginning of a hook call
 * @hook: number of the hook
 *
 * Context: any.
 */
void lsmpmon_do_trace_enter(enum lsmpmon_hook hook)
{
	struct lsmpmon_event event = { };
	unsigned int bit;

	if (!lsmpmon_trace_begin(&bit))
		return;
	lsmpmon_event_set(&event, hook);
	trace_lsm_hook_enter(&event);
	lsmpmon_trace_end(bit);
}

static unsigned int lsmpmon_traced_verdict(enum lsmpmon_hook hook, int rc)
{
	if (lsmpmon_hook_is_void(hook))
		return LSMPMON_TRACE_NONE;
	return lsmpmon_denies(rc) ? LSMPMON_TRACE_DENY : LSMPMON_TRACE_ALLOW;
}

/* The current operation, numbered as user space sees it. */
static noinline unsigned int lsmpmon_traced_operation(void)
{
	const unsigned int operation = lsmpmon_operation();

	if (operation < LSMPMON_COMPAT)
		return operation;
	if (operation < LSMPMON_URING)
		return LSMPMON_TRACE_COMPAT + operation - LSMPMON_COMPAT;
	if (operation < LSMPMON_NO_OPERATION)
		return LSMPMON_TRACE_URING + operation - LSMPMON_URING;
	return LSMPMON_TRACE_NO_CALL;
}

static unsigned int lsmpmon_traced_call(void)
{
	unsigned int nr;

	if (unlikely(!lsmpmon_in_native_call(current)))
		return lsmpmon_traced_operation();
	nr = syscall_get_nr(current, task_pt_regs(current));
	return likely(nr < LSMPMON_NATIVE_CALLS) ? nr : LSMPMON_TRACE_NO_CALL;
}

static void lsmpmon_event_times(struct lsmpmon_event *event, u64 ticks,
				const struct lsmpmon_time *time)
{
	event->ns = lsmpmon_ticks_to_ns(ticks);
	event->own = event->ns;
	event->slept = 0;
	event->preempted = 0;
	event->disturbed = 0;
	if (likely(!time))
		return;
	event->ns = lsmpmon_ticks_to_ns(time->wall);
	event->own = lsmpmon_ticks_to_ns(time->own);
	event->slept = lsmpmon_ticks_to_ns(time->slept);
	event->preempted = lsmpmon_ticks_to_ns(time->preempted);
	event->disturbed = lsmpmon_is_switched(time) ? LSMPMON_TRACE_SWITCHED :
						       LSMPMON_TRACE_INTERRUPTED;
	if (time->unknown)
		event->disturbed |= LSMPMON_TRACE_UNKNOWN;
}

/* Of a call, nothing but an NMI comes between the two events. */
static noinline void lsmpmon_trace_with_object(const struct lsmpmon_event *event,
					       const struct lsmpmon_frame *frame)
{
	char name[LSMPMON_OBJECT_SIZE] = "", object[LSMPMON_OBJECT_WORD];
	unsigned long flags;
	bool is_cut;

	is_cut = frame->span.flags & LSMPMON_NOTED &&
		 lsmpmon_object_name(name, &frame->noted);
	lsmpmon_object_word(name, is_cut, object);
	local_irq_save(flags);
	trace_lsm_hook_object(event, object);
	trace_lsm_hook_exit(event);
	local_irq_restore(flags);
}

/**
 * lsmpmon_do_trace_exit - trace the end of a hook call
 * @frame: frame of the call, unlinked
 * @hook: number of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 * @ticks: duration of the call
 * @time: times of the call if it was disturbed, else NULL; they are 0 if the clock
 *	went back
 *
 * Context: any.
 */
void lsmpmon_do_trace_exit(const struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			   int rc, u64 ticks, const struct lsmpmon_time *time)
{
	struct lsmpmon_event event __uninitialized;
	unsigned int bit;

	if (!lsmpmon_trace_begin(&bit))
		return;
	lsmpmon_event_set(&event, hook);
	lsmpmon_event_times(&event, ticks, time);
	event.rc = rc;
	event.verdict = lsmpmon_traced_verdict(hook, rc);
	event.syscall = lsmpmon_traced_call();
	if (trace_lsm_hook_object_enabled())
		lsmpmon_trace_with_object(&event, frame);
	else
		trace_lsm_hook_exit(&event);
	lsmpmon_trace_end(bit);
}
