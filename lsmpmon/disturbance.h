/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what disturbs spans
 */

#ifndef _SECURITY_LSMPMON_DISTURBANCE_H
#define _SECURITY_LSMPMON_DISTURBANCE_H

#include <linux/lsmpmon_hooks.h>
#include <linux/sched.h>

/* Whether disturbances are told. */
extern bool lsmpmon_marking;

int lsmpmon_disturbance_watch(void);
void lsmpmon_disturbance_unwatch(void);

/**
 * lsmpmon_mark_unknown - what cannot be known of a span counts as a switch
 * @span: one that begins
 *
 * Context: any.
 */
static inline void lsmpmon_mark_unknown(struct lsmpmon_span *span)
{
	if (unlikely(!READ_ONCE(lsmpmon_marking)))
		WRITE_ONCE(span->switched, true);
}

/**
 * lsmpmon_interrupted - an interrupt strikes the current task
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
