/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: which calls are timed
 *
 * All of them, unless lsmmon/features says "timed N": then on each CPU one in N,
 * and the others are only counted.  That saves both clock reads, which are most
 * of what a measured call costs.
 *
 * How many calls go by between two that are timed is random: with a fixed number,
 * a program that repeats itself might have the same hook timed again and again.
 */

#ifndef _SECURITY_LSMPMON_TIMED_H
#define _SECURITY_LSMPMON_TIMED_H

#include <linux/compiler.h>
#include <linux/lsmpmon_hooks.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>

#include "keys.h"

#define LSMPMON_TIMED_MAX	65536

/* How many calls of this CPU will go by untimed; negative: the next is timed. */
DECLARE_PER_CPU(int, lsmpmon_wait);

/* N, and 1 while all calls are timed. */
extern unsigned int lsmpmon_timed;

void lsmpmon_wait_anew(void);
void lsmpmon_timed_set(unsigned int n);
void lsmpmon_show_timed_header(struct seq_file *m);
void lsmpmon_show_timed(struct seq_file *m, u64 count);

/**
 * lsmpmon_goes_by - whether a call that begins is not timed
 * @frame: the call; if it is not timed, that is all that is known of it
 *
 * Races, with interrupts and with a migration in between, only change which call
 * is timed next.
 *
 * Context: any, while lsmpmon_sparse is on.
 * Return: true if it is not.
 */
static __always_inline bool lsmpmon_goes_by(struct lsmpmon_frame *frame)
{
	raw_cpu_dec(lsmpmon_wait);
	if (unlikely(raw_cpu_read(lsmpmon_wait) < 0)) {
		lsmpmon_wait_anew();
		return false;
	}
	frame->span.unusual = 0;
	frame->span.untimed = true;
	return true;
}

/* Whether a call may go by before anybody has looked at it. */
static __always_inline bool lsmpmon_is_sparse(void)
{
	return static_branch_unlikely(&lsmpmon_sparse) &&
	       !static_branch_unlikely(&lsmpmon_each_begins);
}

/* The same for a call at which nobody has to look. */
static __always_inline bool lsmpmon_goes_by_unseen(struct lsmpmon_frame *frame)
{
	return lsmpmon_is_sparse() && lsmpmon_goes_by(frame);
}

/* Whether calls that are timed are like any others. */
static __always_inline bool lsmpmon_is_only_sparse(void)
{
	return lsmpmon_is_sparse() && !lsmpmon_inspects();
}

#endif /* _SECURITY_LSMPMON_TIMED_H */
