/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: starting the work that frees columns
 */

#ifndef _SECURITY_LSMPMON_KICK_H
#define _SECURITY_LSMPMON_KICK_H

#include <linux/workqueue.h>

void lsmpmon_payers_init(work_func_t work);
void lsmpmon_payers_kick(void);
void lsmpmon_payers_rearm(void);

#endif /* _SECURITY_LSMPMON_KICK_H */
