/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the functions of hooks, for trace events
 */

#ifndef _SECURITY_LSMPMON_FUNCTIONS_H
#define _SECURITY_LSMPMON_FUNCTIONS_H

void lsmpmon_functions_init(void);

#endif /* _SECURITY_LSMPMON_FUNCTIONS_H */
