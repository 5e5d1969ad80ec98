// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: which calls are timed
 */

#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/random.h>
#include <linux/sched.h>

#include "timed.h"

DEFINE_PER_CPU(int, lsmpmon_skips);
unsigned int lsmpmon_sample_period __read_mostly = 1;

/* State of the random numbers of each CPU; never zero while they are used. */
static DEFINE_PER_CPU(u32, lsmpmon_random);

/* Marsaglia, "Xorshift RNGs" (2003); nothing depends on nobody guessing them. */
static __always_inline u32 lsmpmon_next_random(void)
{
	u32 x = raw_cpu_read(lsmpmon_random);

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	raw_cpu_write(lsmpmon_random, x);
	return x;
}

/**
 * lsmpmon_draw_skips - decide how many calls of this CPU will go by
 *
 * From 0 to 2 * N - 2, each as likely, so that one call in N is timed.
 *
 * Context: any.
 */
void lsmpmon_draw_skips(void)
{
	const u32 range = 2 * READ_ONCE(lsmpmon_sample_period) - 1;
	const u32 skips = ((u64)lsmpmon_next_random() * range) >> 32;

	raw_cpu_write(lsmpmon_skips, skips);
}

NOKPROBE_SYMBOL(lsmpmon_draw_skips);

/**
 * lsmpmon_set_sample_period - have one call in @n timed
 * @n: a power of two; 1 for each call
 *
 * Nobody is kept from beginning calls meanwhile; these only change what is random.
 *
 * Context: process context, may sleep, in a pause.
 */
void lsmpmon_set_sample_period(unsigned int n)
{
	int cpu;

	WRITE_ONCE(lsmpmon_sample_period, n);
	for_each_possible_cpu(cpu) {
		WRITE_ONCE(per_cpu(lsmpmon_random, cpu), get_random_u32() | 1);
		WRITE_ONCE(per_cpu(lsmpmon_skips, cpu), get_random_u32() & (n - 1));
		cond_resched();
	}
}

/**
 * lsmpmon_show_timed_header - end the header of a table of hook calls
 * @m: the table
 *
 * While only some calls are timed, there is one column more.
 */
void lsmpmon_show_timed_header(struct seq_file *m)
{
	if (static_key_enabled(&lsmpmon_sampling))
		seq_printf(m, " %10s", "timed");
	seq_putc(m, '\n');
}

/**
 * lsmpmon_show_timed - end a line of such a table
 * @m: the table
 * @count: how many of the line's calls were timed
 */
void lsmpmon_show_timed(struct seq_file *m, u64 count)
{
	if (static_key_enabled(&lsmpmon_sampling))
		seq_printf(m, " %10llu", count);
	seq_putc(m, '\n');
}
