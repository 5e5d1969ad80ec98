/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the process that has the session
 */

#ifndef _SECURITY_LSMPMON_HOLDER_H
#define _SECURITY_LSMPMON_HOLDER_H

#include <linux/types.h>

int lsmpmon_holder_begin(int (*save)(void));
void lsmpmon_holder_end(void (*restore)(void));
int lsmpmon_holder_enter(void);
void lsmpmon_holder_leave(void);
bool lsmpmon_holder_get(pid_t *pid, char *comm);

#endif /* _SECURITY_LSMPMON_HOLDER_H */
