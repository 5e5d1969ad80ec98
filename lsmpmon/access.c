// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: access to the timings
 */

#include <linux/capability.h>
#include <linux/errno.h>

#include "access.h"

/**
 * lsmpmon_may_watch - check whether the caller may see how long hook calls take
 * @means: lockdown reason for this kind of access
 *
 * Context: process context.
 * Return: 0, or -EPERM without CAP_SYS_ADMIN in the initial user namespace or
 *	under lockdown in confidentiality mode.
 */
int lsmpmon_may_watch(enum lockdown_reason means)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(means);
}
