/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what disturbs spans
 */

#ifndef _SECURITY_LSMPMON_DISTURBANCE_H
#define _SECURITY_LSMPMON_DISTURBANCE_H

#include <linux/lsmpmon_hooks.h>
#include <linux/sched.h>

/* Whether disturbed spans are marked. */
extern bool lsmpmon_marking;

int lsmpmon_disturbance_watch(void);
void lsmpmon_disturbance_unwatch(void);

/**
 * lsmpmon_mark_unknown - count a span as switched while disturbances are not marked
 * @span: a span that begins
 *
 * Context: any.
 */
static inline void lsmpmon_mark_unknown(struct lsmpmon_span *span)
{
	if (unlikely(!READ_ONCE(lsmpmon_marking)))
		WRITE_ONCE(span->switched, true);
}

/**
 * lsmpmon_interrupted - mark the innermost span of the current task as interrupted
 *
 * Context: interrupt or NMI.
 */
static inline void lsmpmon_interrupted(void)
{
	struct lsmpmon_span *span = READ_ONCE(current->lsmpmon.span);

	if (span)
		WRITE_ONCE(span->interrupted, true);
}

#endif /* _SECURITY_LSMPMON_DISTURBANCE_H */
