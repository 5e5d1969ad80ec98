/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: recording the callbacks of calls
 */

#ifndef _SECURITY_LSMPMON_PARTS_H
#define _SECURITY_LSMPMON_PARTS_H

#include <linux/lsmpmon_hooks.h>

#include "store.h"

void lsmpmon_record_stacks(const struct lsmpmon_frame *frame,
			   unsigned long offset, const struct lsmpmon_time *time);
void lsmpmon_account_callbacks(struct lsmpmon_cpu *c,
			       const struct lsmpmon_frame *frame,
			       unsigned long offset,
			       const struct lsmpmon_time *time);

#endif /* _SECURITY_LSMPMON_PARTS_H */
