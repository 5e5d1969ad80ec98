/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: where a program begins
 */

#ifndef _SECURITY_LSMPMON_PROGRAM_H
#define _SECURITY_LSMPMON_PROGRAM_H

struct pid;

int lsmpmon_program_await(struct pid *process, unsigned int tree);
void lsmpmon_program_forget(unsigned int tree);

#endif /* _SECURITY_LSMPMON_PROGRAM_H */
