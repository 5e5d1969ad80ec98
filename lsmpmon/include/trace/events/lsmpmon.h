/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: trace events
 *
 * Names take most of an event.  So hooks and system calls are numbers here, which are
 * printed as names by lists that lsmpmon/Makefile generates.  @func has a name in hist
 * triggers, with the modifier `.sym`.  Types are those of C, since tools without types
 * of the kernel know no others.
 */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM lsmpmon

#if !defined(_TRACE_LSMPMON_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_LSMPMON_H

#include <linux/tracepoint.h>

/* What follows is read once, and the events below several times. */
#ifndef LSMPMON_TRACE_VERDICTS

/*
 * Numbers of system calls: those of the kernel's own width, and behind them those of
 * 32 bits on a 64-bit kernel, and operations of io_uring.
 */
#define LSMPMON_TRACE_COMPAT		16384
#define LSMPMON_TRACE_URING		32768
#define LSMPMON_TRACE_NO_CALL		65535

#define LSMPMON_TRACE_ALLOW		0
#define LSMPMON_TRACE_DENY		1
#define LSMPMON_TRACE_NONE		2
#define LSMPMON_TRACE_VERDICTS		\
	{ 0, "allow" }, { 1, "deny" }, { 2, "none" }

#define LSMPMON_TRACE_INTERRUPTED	1
#define LSMPMON_TRACE_SWITCHED		2
#define LSMPMON_TRACE_UNKNOWN		4
#define LSMPMON_TRACE_DISTURBANCES	\
	{ 1, "interrupted" }, { 2, "switched" }, { 4, "unknown" }

/**
 * struct lsmpmon_event - a hook call that has ended, as probes of lsm_hook_exit see it
 * @func: address of the function that calls the callbacks of the hook
 * @ns: nanoseconds from begin to end
 * @own: nanoseconds on the CPU without interrupts
 * @slept: nanoseconds for which the task slept
 * @preempted: nanoseconds for which the task was off the CPU and could have run
 * @rc: return value; 0 for void hooks and for the hook's default
 * @hook: number of the hook, in the order of lsm_hook_defs.h
 * @syscall: number of the system call, see LSMPMON_TRACE_COMPAT
 * @modules: number of modules that implement the hook
 * @depth: number of hook calls that this one is in
 * @verdict: LSMPMON_TRACE_ALLOW, _DENY or _NONE
 * @disturbed: LSMPMON_TRACE_INTERRUPTED or _SWITCHED, or 0, and LSMPMON_TRACE_UNKNOWN
 *	if @own, @slept and @preempted are not known, and are 0
 */
struct lsmpmon_event {
	unsigned long		func;
	unsigned long long	ns;
	unsigned long long	own;
	unsigned long long	slept;
	unsigned long long	preempted;
	int			rc;
	unsigned short		hook;
	unsigned short		syscall;
	unsigned char		modules;
	unsigned char		depth;
	unsigned char		verdict;
	unsigned char		disturbed;
};

#endif /* LSMPMON_TRACE_VERDICTS */

struct perf_event;

int lsmpmon_trace_reg(void);
void lsmpmon_trace_unreg(void);
int lsmpmon_trace_object_reg(void);
void lsmpmon_trace_object_unreg(void);
int lsmpmon_trace_may_perf(const struct perf_event *event);

/*
 * lsm_hook_enter - a hook call begins
 * @event: the call; but for @func, @hook, @modules and @depth, its members are 0
 */
TRACE_EVENT_FN(lsm_hook_enter,

	TP_PROTO(const struct lsmpmon_event *event),

	TP_ARGS(event),

	TP_STRUCT__entry(
		__field(unsigned long, func)
		__field(unsigned short, hook)
		__field(unsigned char, modules)
		__field(unsigned char, depth)
	),

	TP_fast_assign(
		__entry->func = event->func;
		__entry->hook = event->hook;
		__entry->modules = event->modules;
		__entry->depth = event->depth;
	),

	TP_printk("hook=%s modules=%u depth=%u",
		  __print_symbolic(__entry->hook, LSMPMON_TRACE_HOOKS),
		  __entry->modules, __entry->depth),

	lsmpmon_trace_reg, lsmpmon_trace_unreg
);

#ifdef CONFIG_PERF_EVENTS
TRACE_EVENT_PERF_PERM(lsm_hook_enter, lsmpmon_trace_may_perf(p_event));
#endif

/*
 * lsm_hook_object - a hook call ends, whose object is known by this name
 * @event: the call; its lsm_hook_exit follows
 * @object: last component of the name, as lsmmon/slowest has it; "-" if it is not known
 *
 * While this event is enabled, the object of each call is looked for.
 */
TRACE_EVENT_FN(lsm_hook_object,

	TP_PROTO(const struct lsmpmon_event *event, const char *object),

	TP_ARGS(event, object),

	TP_STRUCT__entry(
		__field(unsigned long, func)
		__field(unsigned long long, ns)
		__field(unsigned short, hook)
		__dynamic_array(char, object, strlen(object) + 1)
	),

	TP_fast_assign(
		__entry->func = event->func;
		__entry->ns = event->ns;
		__entry->hook = event->hook;
		memcpy(__get_dynamic_array(object), object, strlen(object) + 1);
	),

	TP_printk("hook=%s ns=%llu object=%s",
		  __print_symbolic(__entry->hook, LSMPMON_TRACE_HOOKS),
		  __entry->ns, __get_str(object)),

	lsmpmon_trace_object_reg, lsmpmon_trace_object_unreg
);

#ifdef CONFIG_PERF_EVENTS
TRACE_EVENT_PERF_PERM(lsm_hook_object, lsmpmon_trace_may_perf(p_event));
#endif

/*
 * lsm_hook_exit - a hook call ends
 * @event: the call
 */
TRACE_EVENT_FN(lsm_hook_exit,

	TP_PROTO(const struct lsmpmon_event *event),

	TP_ARGS(event),

	TP_STRUCT__entry(
		__field(unsigned long, func)
		__field(unsigned long long, ns)
		__field(unsigned long long, own)
		__field(unsigned long long, slept)
		__field(unsigned long long, preempted)
		__field(int, rc)
		__field(unsigned short, hook)
		__field(unsigned short, syscall)
		__field(unsigned char, modules)
		__field(unsigned char, depth)
		__field(unsigned char, verdict)
		__field(unsigned char, disturbed)
	),

	TP_fast_assign(
		__entry->func = event->func;
		__entry->ns = event->ns;
		__entry->own = event->own;
		__entry->slept = event->slept;
		__entry->preempted = event->preempted;
		__entry->rc = event->rc;
		__entry->hook = event->hook;
		__entry->syscall = event->syscall;
		__entry->modules = event->modules;
		__entry->depth = event->depth;
		__entry->verdict = event->verdict;
		__entry->disturbed = event->disturbed;
	),

	TP_printk("hook=%s modules=%u ns=%llu own=%llu slept=%llu preempted=%llu rc=%d verdict=%s syscall=%s depth=%u disturbed=%s",
		  __print_symbolic(__entry->hook, LSMPMON_TRACE_HOOKS),
		  __entry->modules, __entry->ns, __entry->own, __entry->slept,
		  __entry->preempted, __entry->rc,
		  __print_symbolic(__entry->verdict, LSMPMON_TRACE_VERDICTS),
		  __print_symbolic(__entry->syscall, LSMPMON_TRACE_CALLS),
		  __entry->depth,
		  __print_flags(__entry->disturbed, "|",
				LSMPMON_TRACE_DISTURBANCES)),

	lsmpmon_trace_reg, lsmpmon_trace_unreg
);

#ifdef CONFIG_PERF_EVENTS
TRACE_EVENT_PERF_PERM(lsm_hook_exit, lsmpmon_trace_may_perf(p_event));
#endif

#endif /* _TRACE_LSMPMON_H */

#include <trace/define_trace.h>
