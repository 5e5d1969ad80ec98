/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: denials by errno
 */

#ifndef _SECURITY_LSMPMON_DENIAL_H
#define _SECURITY_LSMPMON_DENIAL_H

#include <linux/errno.h>

#include "store.h"

/**
 * lsmpmon_denies - whether a hook's answer is a denial
 * @rc: what it returned; 0 for the hook's default
 *
 * -ECHILD is none: a walk of a path that may not sleep gets it from a module
 * that cannot decide so, and asks again in one that may.
 *
 * Context: any.
 * Return: true if it is.
 */
static __always_inline bool lsmpmon_denies(int rc)
{
	return rc < 0 && rc != -ECHILD;
}

void lsmpmon_denial_count(struct lsmpmon_cpu *c, enum lsmpmon_hook hook,
			  int rc, bool switched);

#endif /* _SECURITY_LSMPMON_DENIAL_H */
