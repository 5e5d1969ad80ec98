/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: static keys
 *
 * Read by the dispatch and recording paths, which must not depend on feature.c.
 * The table in keys.c says which user needs which keys.
 */

#ifndef _SECURITY_LSMPMON_KEYS_H
#define _SECURITY_LSMPMON_KEYS_H

#include <linux/jump_label.h>
#include <linux/lsmpmon.h>
#include <linux/types.h>

/* Users of keys. */
enum lsmpmon_user {
	LSMPMON_USER_MEASURE,
	LSMPMON_USER_TRACE,
	LSMPMON_USER_TRACE_OBJECT,
	LSMPMON_USER_FILTER,
	LSMPMON_USER_FILTER_NAME,
	LSMPMON_USER_FILTER_OBJECT,
	LSMPMON_USER_FILTER_OBJECT_ONLY,
	LSMPMON_USER_SYSCALL,
	LSMPMON_USER_MODULE,
	LSMPMON_USER_HISTOGRAM,
	LSMPMON_USER_CALLS,
	LSMPMON_USER_STACK,
	LSMPMON_USER_COMM,
	LSMPMON_USER_CGROUP,
	LSMPMON_USER_TASK,
	LSMPMON_USER_SLOWEST,
	LSMPMON_USER_WAITS,
	LSMPMON_USER_NESTED,
	LSMPMON_USER_TIMED,
	LSMPMON_USERS,
};

/* Calls take the detailed path: measured callbacks, filter, trace events, sampling. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_detailed);

/*
 * Calls of hooks without callbacks take the detailed path, too: they are traced, or their
 * arguments are needed.
 */
DECLARE_STATIC_KEY_FALSE(lsmpmon_all_detailed);

/*
 * Timing cannot be skipped at the very beginning of a call: it has to be examined
 * first, or trace events and "calls" need the time of each.
 */
DECLARE_STATIC_KEY_FALSE(lsmpmon_no_early_skip);

/* Calls are examined when they begin: by a filter, or to note their objects. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_examined);

/* The subject of the filter has a literal name. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_naming);

/* The filter has an object and nothing else. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_only_object);

/* The objects of calls are noted. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_noting);

/* A trace event is enabled. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_traced);

/* A call is recorded in more tables than the cells of its hook. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_extras);

/* Some of these tables are rarely used: those by payer and by outer call. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_rare_extras);

/* The sample period is above 1. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_sampling);

/*
 * At some time since the boot, the sample period was above 1, or calls were examined.
 * Before that, the span of each call in progress is linked.
 */
DECLARE_STATIC_KEY_FALSE(lsmpmon_ever_unlinked);

/* The feature of that name is on. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_syscall_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_module_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_histogram_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_calls_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_stack_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_comm_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_cgroup_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_task_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_slowest_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_waits_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_nested_on);

void lsmpmon_keys_use(enum lsmpmon_user user);
void lsmpmon_keys_unuse(enum lsmpmon_user user);
bool lsmpmon_keys_used(enum lsmpmon_user user);
void lsmpmon_keys_switch(enum lsmpmon_user user, bool on);

/* Whether callbacks are measured; usually for the feature `module`. */
static __always_inline bool lsmpmon_inspects(void)
{
	return static_branch_likely(&lsmpmon_module_on) ||
	       static_branch_unlikely(&lsmpmon_stack_on);
}

#endif /* _SECURITY_LSMPMON_KEYS_H */
