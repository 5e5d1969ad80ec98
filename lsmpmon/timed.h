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

#define LSMPMON_SAMPLE_PERIOD_MAX	65536

/* How many calls of this CPU will go by untimed; negative: the next is timed. */
DECLARE_PER_CPU(int, lsmpmon_skips);

/* N, and 1 while all calls are timed. */
extern unsigned int lsmpmon_sample_period;

void lsmpmon_draw_skips(void);
void lsmpmon_set_sample_period(unsigned int n);
void lsmpmon_show_timed_header(struct seq_file *m);
void lsmpmon_show_timed(struct seq_file *m, u64 count);

/**
 * lsmpmon_skip_timing - whether a call that begins is not timed
 * @frame: the call; if it is not timed, that is all that is known of it
 *
 * Races, with interrupts and with a migration in between, only change which call
 * is timed next.
 *
 * Context: any, while lsmpmon_sampling is on.
 * Return: true if it is not.
 */
static __always_inline bool lsmpmon_skip_timing(struct lsmpmon_frame *frame)
{
	raw_cpu_dec(lsmpmon_skips);
	if (unlikely(raw_cpu_read(lsmpmon_skips) < 0)) {
		lsmpmon_draw_skips();
		return false;
	}
	frame->span.unusual = 0;
	frame->span.untimed = true;
	return true;
}

/* Whether a call may go by before anybody has looked at it. */
static __always_inline bool lsmpmon_skips_early(void)
{
	return static_branch_unlikely(&lsmpmon_sampling) &&
	       !static_branch_unlikely(&lsmpmon_no_early_skip);
}

/* The same for a call at which nobody has to look. */
static __always_inline bool lsmpmon_skip_timing_early(struct lsmpmon_frame *frame)
{
	return lsmpmon_skips_early() && lsmpmon_skip_timing(frame);
}

/* Whether calls that are timed are like any others. */
static __always_inline bool lsmpmon_only_samples(void)
{
	return lsmpmon_skips_early() && !lsmpmon_inspects();
}

#endif /* _SECURITY_LSMPMON_TIMED_H */
