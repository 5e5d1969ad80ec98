/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: denials by errno
 */

#ifndef _SECURITY_LSMPMON_DENIAL_H
#define _SECURITY_LSMPMON_DENIAL_H

#include "store.h"

void lsmpmon_denial_count(struct lsmpmon_cpu *c, enum lsmpmon_hook hook,
			  int rc, bool switched);
void lsmpmon_denial_read(enum lsmpmon_hook hook, int rc,
			 struct lsmpmon_denial *total);
void lsmpmon_denial_errors(enum lsmpmon_hook hook, unsigned long *seen);

#endif /* _SECURITY_LSMPMON_DENIAL_H */
