/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what is known of a hook call
 */

#ifndef _SECURITY_LSMPMON_DESCRIBE_H
#define _SECURITY_LSMPMON_DESCRIBE_H

#include <linux/lsmpmon_hooks.h>

#include "slow.h"

void lsmpmon_describe(struct lsmpmon_slow *call, const struct lsmpmon_frame *frame,
		      int rc, u64 ticks, const struct lsmpmon_time *time);

#endif /* _SECURITY_LSMPMON_DESCRIBE_H */
