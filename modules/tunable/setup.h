/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: what all parts share
 */

#ifndef _SECURITY_TUNABLE_SETUP_H
#define _SECURITY_TUNABLE_SETUP_H

#include <linux/init.h>
#include <linux/lsm_hooks.h>

#include "registration.h"
#include "compat.h"

#define TUNABLE_NAME	"tunable"

extern const struct lsm_id tunable_id;
extern struct lsm_blob_sizes tunable_blob_sizes;

/**
 * tunable_add_hooks - register callbacks
 * @hooks: the callbacks
 * @count: number of callbacks
 */
static inline void __init
tunable_add_hooks(struct security_hook_list *hooks, int count)
{
	lsmpmon_add_hooks(hooks, count, &tunable_id);
}

#endif /* _SECURITY_TUNABLE_SETUP_H */
