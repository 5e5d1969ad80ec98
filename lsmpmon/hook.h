/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: names of the hooks
 */

#ifndef _SECURITY_LSMPMON_HOOK_H
#define _SECURITY_LSMPMON_HOOK_H

#include <linux/lsm_hooks.h>
#include <linux/lsmpmon_hooks.h>

/* Pseudo-hook, for empty spans. */
#define LSMPMON_HOOK_SELF	LSMPMON_HOOKS
#define LSMPMON_CELLS		(LSMPMON_HOOKS + 1)

const char *lsmpmon_hook_name(enum lsmpmon_hook hook);
bool lsmpmon_hook_is_void(enum lsmpmon_hook hook);

#endif /* _SECURITY_LSMPMON_HOOK_H */
