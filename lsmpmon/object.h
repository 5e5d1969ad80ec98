/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the objects of hook calls
 */

#ifndef _SECURITY_LSMPMON_OBJECT_H
#define _SECURITY_LSMPMON_OBJECT_H

#include <linux/types.h>

#include "hook.h"
#include "path.h"

/* Buffer size for lsmpmon_object_kinds(). */
#define LSMPMON_OBJECT_KINDS_SIZE	128

/* Read under RCU; NULL while there is none. */
extern struct lsmpmon_object __rcu *lsmpmon_object;

void lsmpmon_set_fast_path(const struct lsmpmon_object *object);
void lsmpmon_object_kinds(enum lsmpmon_hook hook, char *kinds, size_t size);

#endif /* _SECURITY_LSMPMON_OBJECT_H */
