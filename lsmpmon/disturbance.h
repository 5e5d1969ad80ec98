/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what disturbs spans
 */

#ifndef _SECURITY_LSMPMON_DISTURBANCE_H
#define _SECURITY_LSMPMON_DISTURBANCE_H

#include <linux/sched.h>

#include "delay.h"
#include "mark.h"

/* Whether disturbed spans are marked. */
extern bool lsmpmon_marking;

int lsmpmon_disturbance_watch(void);
void lsmpmon_disturbance_unwatch(void);

/**
 * lsmpmon_mark_unknown - count a span as switched while disturbances are not marked
 *
 * Context: any, after the span of the current task has begun.
 */
static inline void lsmpmon_mark_unknown(void)
{
	if (likely(READ_ONCE(lsmpmon_marking)))
		return;
	lsmpmon_delay_unknown(current);
	lsmpmon_mark_switched(current);
}

#endif /* _SECURITY_LSMPMON_DISTURBANCE_H */
