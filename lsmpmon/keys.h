/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: which features are on
 *
 * Told where calls are recorded, which must not know who switches them.
 */

#ifndef _SECURITY_LSMPMON_KEYS_H
#define _SECURITY_LSMPMON_KEYS_H

#include <linux/jump_label.h>

DECLARE_STATIC_KEY_FALSE(lsmpmon_syscall_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_module_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_histogram_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_calls_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_stack_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_comm_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_cgroup_on);

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
