/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: denials by errno
 */

#ifndef _SECURITY_LSMPMON_DENIAL_H
#define _SECURITY_LSMPMON_DENIAL_H

#include <linux/errno.h>

#include "store.h"

/**
 * lsmpmon_denies - test whether the return value of a hook is a denial
 * @rc: return value; 0 for the hook's default
 *
 * -ECHILD is not a denial: a module returns it if it would have to sleep in
 * an RCU path walk, and the kernel then retries in a walk that may sleep.
 *
 * Context: any.
 * Return: true for a denial.
 */
static __always_inline bool lsmpmon_denies(int rc)
{
	return rc < 0 && rc != -ECHILD;
}

void lsmpmon_denial_count(struct lsmpmon_cpu *c, enum lsmpmon_hook hook,
			  int rc, bool switched);
void lsmpmon_denial_read(enum lsmpmon_hook hook, int rc,
			 struct lsmpmon_denial *total);
void lsmpmon_denial_errors(enum lsmpmon_hook hook, unsigned long *seen);

#endif /* _SECURITY_LSMPMON_DENIAL_H */
