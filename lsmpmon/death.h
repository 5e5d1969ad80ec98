/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: tasks that die of a fault
 */

#ifndef _SECURITY_LSMPMON_DEATH_H
#define _SECURITY_LSMPMON_DEATH_H

void lsmpmon_death_init(void);

#endif /* _SECURITY_LSMPMON_DEATH_H */
