/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: static keys
 *
 * Read where calls are dispatched and recorded, which must not depend on who
 * switches them.  keys.c has the table of who needs which.
 */

#ifndef _SECURITY_LSMPMON_KEYS_H
#define _SECURITY_LSMPMON_KEYS_H

#include <linux/jump_label.h>
#include <linux/lsmpmon.h>
#include <linux/types.h>

/* Who needs keys. */
enum lsmpmon_user {
	LSMPMON_USER_MEASURE,
	LSMPMON_USER_TRACE,
	LSMPMON_USER_FILTER,
	LSMPMON_USER_SYSCALL,
	LSMPMON_USER_MODULE,
	LSMPMON_USER_HISTOGRAM,
	LSMPMON_USER_CALLS,
	LSMPMON_USER_STACK,
	LSMPMON_USER_COMM,
	LSMPMON_USER_CGROUP,
	LSMPMON_USER_TIMED,
	LSMPMON_USERS,
};

/* True while calls are to be looked into, selected or traced. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_detailed);

/* The same for calls without a callback: while they are selected or traced. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_all_detailed);

/*
 * True while something needs the beginning of each call: a filter, which has to
 * look at it, a trace event or the feature "calls", for which each is timed.
 */
DECLARE_STATIC_KEY_FALSE(lsmpmon_no_early_skip);

/* True while a filter is set. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_filtered);

/* True while somebody has one of the trace events enabled. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_traced);

/* True while a record is more than the cells of its hook. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_extras);

/* True while only some calls are timed. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_sampling);

/*
 * True from the first time on that only some calls were timed: while it is false,
 * no call is under way that is not.
 */
DECLARE_STATIC_KEY_FALSE(lsmpmon_ever_sampling);

/* True while the feature of that name is on. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_syscall_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_module_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_histogram_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_calls_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_stack_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_comm_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_cgroup_on);

void lsmpmon_keys_use(enum lsmpmon_user user);
void lsmpmon_keys_unuse(enum lsmpmon_user user);
bool lsmpmon_keys_used(enum lsmpmon_user user);

/* Whether callbacks are measured; the first is what they are for most often. */
static __always_inline bool lsmpmon_inspects(void)
{
	return static_branch_likely(&lsmpmon_module_on) ||
	       static_branch_unlikely(&lsmpmon_stack_on);
}

/* Whether calls are counted for who pays for them. */
static __always_inline bool lsmpmon_has_payers(void)
{
	return static_branch_unlikely(&lsmpmon_comm_on) ||
	       static_branch_unlikely(&lsmpmon_cgroup_on);
}

#endif /* _SECURITY_LSMPMON_KEYS_H */
