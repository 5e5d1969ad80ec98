/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the measured dispatch of each hook
 */

#ifndef _SECURITY_LSMPMON_DISPATCH_H
#define _SECURITY_LSMPMON_DISPATCH_H

void lsmpmon_dispatch_init(void);

#endif /* _SECURITY_LSMPMON_DISPATCH_H */
