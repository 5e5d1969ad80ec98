/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: callbacks by system call
 */

#ifndef _SECURITY_LSMPMON_STACK_H
#define _SECURITY_LSMPMON_STACK_H

#include <linux/types.h>

unsigned int lsmpmon_stack_rows(void);
int lsmpmon_stack_switch(bool on);
unsigned int lsmpmon_stack_row(unsigned int callback);
unsigned int lsmpmon_stack_callback(unsigned int row);

#endif /* _SECURITY_LSMPMON_STACK_H */
