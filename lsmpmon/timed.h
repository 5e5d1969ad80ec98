/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: which calls are timed
 *
 * With a sample period of N ("timed N" in lsmmon/features), one call in N is
 * timed on each CPU, and timing is skipped for the others, which are only counted.
 * Skipping saves both clock reads, most of the cost of a measured call.
 *
 * The number of calls skipped between two timed ones is random: with a fixed
 * number, the same hook might be timed in every round of a loop.
 */

#ifndef _SECURITY_LSMPMON_TIMED_H
#define _SECURITY_LSMPMON_TIMED_H

#include <linux/compiler.h>
#include <linux/lsmpmon_hooks.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>

#include "frame.h"
#include "keys.h"

#define LSMPMON_SAMPLE_PERIOD_MAX	65536

/* Calls of this CPU still to be skipped; the call that makes it negative is timed. */
DECLARE_PER_CPU(int, lsmpmon_skips);

/* Sample period: one call in N is timed (1: every call). */
extern unsigned int lsmpmon_sample_period;

/* The sample period was above 1 at some time since the boot. */
extern bool lsmpmon_ever_sampled;

void lsmpmon_draw_skips(void);
void lsmpmon_set_sample_period(unsigned int n);
void lsmpmon_show_timed_header(struct seq_file *m);
void lsmpmon_show_timed(struct seq_file *m, u64 count);

/**
 * lsmpmon_skip_timing - decide whether timing is skipped for a call
 * @frame: frame of the call; only its marks are set if timing is skipped
 *
 * Races with interrupts and migration only change which call is timed next.
 *
 * Context: any, while lsmpmon_sampling is on.
 * Return: true if this call is only counted.
 */
static __always_inline bool lsmpmon_skip_timing(struct lsmpmon_frame *frame)
{
	raw_cpu_dec(lsmpmon_skips);
	if (unlikely(raw_cpu_read(lsmpmon_skips) < 0)) {
		lsmpmon_draw_skips();
		return false;
	}
	lsmpmon_leave_unlinked(frame, LSMPMON_UNTIMED);
	return true;
}

/* Whether timing may be skipped before filter, trace events or "calls" see a call. */
static __always_inline bool lsmpmon_skips_early(void)
{
	return static_branch_unlikely(&lsmpmon_sampling) &&
	       !static_branch_unlikely(&lsmpmon_no_early_skip);
}

/* lsmpmon_skip_timing() at the very beginning of a call, where that is possible. */
static __always_inline bool lsmpmon_skip_timing_early(struct lsmpmon_frame *frame)
{
	return lsmpmon_skips_early() && lsmpmon_skip_timing(frame);
}

/* lsmpmon_skip_timing() for a call that the filter selects. */
static __always_inline bool lsmpmon_skip_timing_selected(struct lsmpmon_frame *frame)
{
	return static_branch_unlikely(&lsmpmon_sampling) &&
	       static_branch_unlikely(&lsmpmon_examined) &&
	       !static_branch_unlikely(&lsmpmon_traced) &&
	       !static_branch_unlikely(&lsmpmon_calls_on) &&
	       lsmpmon_skip_timing(frame);
}

/* Whether sampling is the only reason for the detailed path. */
static __always_inline bool lsmpmon_only_samples(void)
{
	return lsmpmon_skips_early() && !lsmpmon_inspects();
}

#endif /* _SECURITY_LSMPMON_TIMED_H */
