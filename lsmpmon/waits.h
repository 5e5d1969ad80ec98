/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: lsmmon/waits
 */

#ifndef _SECURITY_LSMPMON_WAITS_H
#define _SECURITY_LSMPMON_WAITS_H

#include <linux/types.h>

int lsmpmon_waits_switch(bool on);

#endif /* _SECURITY_LSMPMON_WAITS_H */
