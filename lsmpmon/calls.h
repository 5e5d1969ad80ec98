/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: whole system calls
 */

#ifndef _SECURITY_LSMPMON_CALLS_H
#define _SECURITY_LSMPMON_CALLS_H

#include <linux/types.h>

int lsmpmon_calls_switch(bool on);

#endif /* _SECURITY_LSMPMON_CALLS_H */
