/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: callbacks of a hook call in progress
 */

#ifndef _LINUX_LSMPMON_CALLBACK_H
#define _LINUX_LSMPMON_CALLBACK_H

#include <linux/types.h>

struct lsmpmon_frame;

/**
 * struct lsmpmon_callback - a callback of a hook call in progress
 * @ticks: duration of the callback; clock when it began, while it is in progress
 * @place: place in the order of the hook
 * @denied: whether the callback has denied
 * @disturbance: what disturbed the callback, as enum lsmpmon_disturbance
 * @part: number of its part of the delay; valid if the callback was disturbed, and
 *	LSMPMON_PARTS if the part is not known
 */
struct lsmpmon_callback {
	u64	ticks;
	u16	place;
	bool	denied;
	u8	disturbance;
	u8	part;
};

/* Callbacks of one hook call whose parts of the delay are kept, to bound the stack. */
#define LSMPMON_PARTS	4

/**
 * struct lsmpmon_part - part of a delay that is a callback's, as in struct lsmpmon_delay
 * @slept: ticks for which the task slept
 * @preempted: ticks for which the task was off the CPU and could have run
 * @irq: ticks of interrupts
 */
struct lsmpmon_part {
	u64	slept;
	u64	preempted;
	u64	irq;
};

void lsmpmon_begin_callback(struct lsmpmon_frame *frame, unsigned int place);
void lsmpmon_begin_first_callback(void);
void lsmpmon_begin_next_callback(void);
void lsmpmon_end_callback(struct lsmpmon_frame *frame, int rc);

#endif /* _LINUX_LSMPMON_CALLBACK_H */
