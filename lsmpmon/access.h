/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: access to the timings
 */

#ifndef _SECURITY_LSMPMON_ACCESS_H
#define _SECURITY_LSMPMON_ACCESS_H

#include <linux/security.h>

int lsmpmon_may_watch(enum lockdown_reason means);

#endif /* _SECURITY_LSMPMON_ACCESS_H */
