/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: zeroing all counters
 */

#ifndef _SECURITY_LSMPMON_WIPE_H
#define _SECURITY_LSMPMON_WIPE_H

void lsmpmon_wipe(void);

#endif /* _SECURITY_LSMPMON_WIPE_H */
