/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the delays of what is in progress
 */

#ifndef _SECURITY_LSMPMON_DELAY_H
#define _SECURITY_LSMPMON_DELAY_H

#include <linux/lsmpmon_hooks.h>
#include <linux/sched.h>

void lsmpmon_delays_begin(void);
void lsmpmon_delay_add(struct lsmpmon_delay *total,
		       const struct lsmpmon_delay *delay);
void lsmpmon_delay_unknown(struct task_struct *task);
void lsmpmon_delay_pass_on(const struct lsmpmon_delay *inner,
			   struct lsmpmon_span *span);
void lsmpmon_task_leaves(struct task_struct *task, bool sleeps);
void lsmpmon_task_returns(struct task_struct *task);
void lsmpmon_irq_begins(void);
void lsmpmon_irq_ends(void);
void lsmpmon_irq_lasted(u64 ticks);
int lsmpmon_own_spans(const struct lsmpmon_span **bound);

#endif /* _SECURITY_LSMPMON_DELAY_H */
