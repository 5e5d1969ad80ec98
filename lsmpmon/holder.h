/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the process that has the session
 */

#ifndef _SECURITY_LSMPMON_HOLDER_H
#define _SECURITY_LSMPMON_HOLDER_H

#include <linux/seq_file.h>

int lsmpmon_holder_begin(int (*keep)(void));
void lsmpmon_holder_end(void (*restore)(void));
int lsmpmon_holder_enter(void);
void lsmpmon_holder_leave(void);
void lsmpmon_holder_show(struct seq_file *m);

#endif /* _SECURITY_LSMPMON_HOLDER_H */
