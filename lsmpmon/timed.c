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
bool lsmpmon_ever_sampled __read_mostly;

/* State of the generator of each CPU; never zero once a sample period was set. */
static DEFINE_PER_CPU(u32, lsmpmon_random);

/* Marsaglia, "Xorshift RNGs" (2003).  The numbers need not be unpredictable. */
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
 * lsmpmon_draw_skips - draw for how many calls of this CPU timing is skipped
 *
 * For a sample period N, the number is uniform in 0 .. 2 * N - 2: on average, one
 * call in N is timed.
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
 * lsmpmon_set_sample_period - set the sample period
 * @n: one call in @n is timed; a power of two, 1 for every call
 *
 * Calls that begin meanwhile race with this, which only affects random numbers.
 *
 * Context: process context, may sleep, in a pause.
 */
void lsmpmon_set_sample_period(unsigned int n)
{
	int cpu;

	WRITE_ONCE(lsmpmon_sample_period, n);
	if (n > 1)
		WRITE_ONCE(lsmpmon_ever_sampled, true);
	for_each_possible_cpu(cpu) {
		WRITE_ONCE(per_cpu(lsmpmon_random, cpu), get_random_u32() | 1);
		WRITE_ONCE(per_cpu(lsmpmon_skips, cpu), get_random_u32() & (n - 1));
		cond_resched();
	}
}

/**
 * lsmpmon_show_timed_header - end the header line of a table of hook calls
 * @m: the file
 *
 * With a sample period above 1, the table has a column `timed`.
 */
void lsmpmon_show_timed_header(struct seq_file *m)
{
	if (static_key_enabled(&lsmpmon_sampling))
		seq_printf(m, " %10s", "timed");
	seq_putc(m, '\n');
}

/**
 * lsmpmon_show_timed - end a line of a table of hook calls
 * @m: the file
 * @count: number of calls of the line that were timed
 */
void lsmpmon_show_timed(struct seq_file *m, u64 count)
{
	if (static_key_enabled(&lsmpmon_sampling))
		seq_printf(m, " %10llu", count);
	seq_putc(m, '\n');
}
