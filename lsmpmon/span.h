/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: from two clock reads to a record
 */

#ifndef _SECURITY_LSMPMON_SPAN_H
#define _SECURITY_LSMPMON_SPAN_H

#include <linux/irqflags.h>

#include "store.h"

/*
 * Not zero while spans that end are not recorded.  A variable and not a static
 * key: a store to it is seen by all CPUs as of one moment.  See control.c.
 */
extern unsigned int lsmpmon_paused;

static __always_inline void lsmpmon_write_begin(struct lsmpmon_cpu *c)
{
	WRITE_ONCE(c->busy, 1);
	smp_wmb();	/* @busy before the counters, for readers */
}

static __always_inline void lsmpmon_write_end(struct lsmpmon_cpu *c)
{
	smp_wmb();	/* the counters before @busy, for readers */
	WRITE_ONCE(c->busy, 0);
}

/* Become this CPU's writer, or give NULL where that cannot or need not be. */
static __always_inline struct lsmpmon_cpu *
lsmpmon_write_lock(unsigned long *flags)
{
	struct lsmpmon_cpu *c;

	raw_local_irq_save(*flags);
	c = this_cpu_ptr(&lsmpmon_cpu);
	/* Before the counters, for resets. */
	if (smp_load_acquire(&lsmpmon_paused))
		goto out;
	/* An NMI has struck a writer. */
	if (READ_ONCE(c->busy)) {
		WRITE_ONCE(c->lost, c->lost + 1);
		goto out;
	}
	lsmpmon_write_begin(c);
	return c;
out:
	raw_local_irq_restore(*flags);
	return NULL;
}

static __always_inline void lsmpmon_write_unlock(struct lsmpmon_cpu *c,
						 unsigned long flags)
{
	lsmpmon_write_end(c);
	raw_local_irq_restore(flags);
}

#endif /* _SECURITY_LSMPMON_SPAN_H */
