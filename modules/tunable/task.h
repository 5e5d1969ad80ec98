/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: hooks of tasks
 */

#ifndef _SECURITY_TUNABLE_TASK_H
#define _SECURITY_TUNABLE_TASK_H

void tunable_task_init(void);

#endif /* _SECURITY_TUNABLE_TASK_H */
