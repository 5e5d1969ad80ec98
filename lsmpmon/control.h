/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: on, off and reset
 */

#ifndef _SECURITY_LSMPMON_CONTROL_H
#define _SECURITY_LSMPMON_CONTROL_H

#include <linux/types.h>

int lsmpmon_measure(bool on);
bool lsmpmon_is_measuring(void);
void lsmpmon_reset(void);
void lsmpmon_control_lock(void);
void lsmpmon_control_unlock(void);
void lsmpmon_pause(void);
void lsmpmon_zero_and_resume(void);
u64 lsmpmon_enabled_ns(void);
u64 lsmpmon_reset_ns(void);

#endif /* _SECURITY_LSMPMON_CONTROL_H */
