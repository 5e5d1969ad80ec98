/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: trace events
 */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM lsmpmon

#if !defined(_TRACE_LSMPMON_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_LSMPMON_H

#include <linux/tracepoint.h>

/*
 * Names are in arrays and not in dynamic strings, since a hist trigger accepts at
 * most one of these as a key.
 */
#define LSMPMON_TRACE_NAME	32
#define LSMPMON_TRACE_VERDICT	8

struct perf_event;

int lsmpmon_trace_reg(void);
void lsmpmon_trace_unreg(void);
int lsmpmon_trace_may_perf(const struct perf_event *event);

/*
 * lsm_hook_enter - a hook call begins
 * @hook: name of the hook, as in lsm_hook_defs.h
 * @modules: number of modules that implement the hook
 */
TRACE_EVENT_FN(lsm_hook_enter,

	TP_PROTO(const char *hook, unsigned int modules),

	TP_ARGS(hook, modules),

	TP_STRUCT__entry(
		__array(char, hook, LSMPMON_TRACE_NAME)
		__field(unsigned int, modules)
	),

	TP_fast_assign(
		strscpy(__entry->hook, hook, sizeof(__entry->hook));
		__entry->modules = modules;
	),

	TP_printk("hook=%s modules=%u", __entry->hook, __entry->modules),

	lsmpmon_trace_reg, lsmpmon_trace_unreg
);

#ifdef CONFIG_PERF_EVENTS
TRACE_EVENT_PERF_PERM(lsm_hook_enter, lsmpmon_trace_may_perf(p_event));
#endif

/*
 * lsm_hook_exit - a hook call ends
 * @hook: name of the hook, as in lsm_hook_defs.h
 * @modules: number of modules that implement the hook
 * @ns: duration in nanoseconds
 * @ticks: duration in ticks of the clock that lsmmon/info names
 * @rc: return value; 0 for void hooks and for the hook's default
 * @verdict: `allow`, `deny` or `none`
 * @syscall: as in lsmmon/syscalls
 * @switched: whether a context switch was inside
 * @interrupted: whether an interrupt was inside
 */
TRACE_EVENT_FN(lsm_hook_exit,

	TP_PROTO(const char *hook, unsigned int modules, u64 ns, u64 ticks,
		 int rc, const char *verdict, const char *syscall,
		 bool switched, bool interrupted),

	TP_ARGS(hook, modules, ns, ticks, rc, verdict, syscall, switched,
		interrupted),

	TP_STRUCT__entry(
		__array(char, hook, LSMPMON_TRACE_NAME)
		__field(unsigned int, modules)
		__field(u64, ns)
		__field(u64, ticks)
		__field(int, rc)
		__array(char, verdict, LSMPMON_TRACE_VERDICT)
		__array(char, syscall, LSMPMON_TRACE_NAME)
		__field(bool, switched)
		__field(bool, interrupted)
	),

	TP_fast_assign(
		strscpy(__entry->hook, hook, sizeof(__entry->hook));
		__entry->modules = modules;
		__entry->ns = ns;
		__entry->ticks = ticks;
		__entry->rc = rc;
		strscpy(__entry->verdict, verdict, sizeof(__entry->verdict));
		strscpy(__entry->syscall, syscall, sizeof(__entry->syscall));
		__entry->switched = switched;
		__entry->interrupted = interrupted;
	),

	TP_printk("hook=%s modules=%u ns=%llu ticks=%llu rc=%d verdict=%s syscall=%s switched=%d interrupted=%d",
		  __entry->hook, __entry->modules, __entry->ns,
		  __entry->ticks, __entry->rc, __entry->verdict,
		  __entry->syscall, __entry->switched, __entry->interrupted),

	lsmpmon_trace_reg, lsmpmon_trace_unreg
);

#ifdef CONFIG_PERF_EVENTS
TRACE_EVENT_PERF_PERM(lsm_hook_exit, lsmpmon_trace_may_perf(p_event));
#endif

#endif /* _TRACE_LSMPMON_H */

#include <trace/define_trace.h>
