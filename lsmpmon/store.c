// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the counters of each CPU
 *
 * The rules of use are in store.h, the writer is record.c.
 */

#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "store.h"

/* How often a reader looks again at once for a writer to be done. */
#define QUICK_TRIES	1000

/* How long it then waits in all. */
#define PATIENCE	(5 * HZ)

DEFINE_PER_CPU_ALIGNED(struct lsmpmon_cpu, lsmpmon_cpu);

DECLARE_RWSEM(lsmpmon_tables);

/**
 * lsmpmon_cell_add - add one cell to another
 * @total: what is added to; a new one starts with a min of U64_MAX
 * @cell: what is added
 */
void lsmpmon_cell_add(struct lsmpmon_cell *total,
		      const struct lsmpmon_cell *cell)
{
	total->count += cell->count;
	total->sum += cell->sum;
	total->min = min(total->min, cell->min);
	total->quiet_max = max(total->quiet_max, cell->quiet_max);
	total->irq_count += cell->irq_count;
	total->irq_sum += cell->irq_sum;
	total->irq_max = max(total->irq_max, cell->irq_max);
	total->cs_count += cell->cs_count;
}

/* Try once: true if no writer was half-way through. */
static bool lsmpmon_copy_once(const struct lsmpmon_cpu *c, const void *from, void *copy,
			      size_t size)
{
	u8 again[sizeof(struct lsmpmon_cell)];
	unsigned int busy;

	/* Race: with the writer, which the second copy would show. */
	data_race(memcpy(copy, from, size));
	smp_rmb();	/* the first copy before the look at @busy */
	busy = READ_ONCE(c->busy);
	smp_rmb();	/* that look before the second copy */
	data_race(memcpy(again, from, size));	/* as above */
	barrier();
	return !busy && !memcmp(copy, again, size);
}

/* Whether to wait no longer for a CPU; @end is 0 at first. */
static bool lsmpmon_is_stuck(struct lsmpmon_cpu *c, unsigned long *end)
{
	if (!*end) {
		*end = (jiffies + PATIENCE) ?: 1;
	} else if (time_after(jiffies, *end)) {
		pr_warn_once("lsmpmon: a writer of counters does not end\n");
		WRITE_ONCE(c->stuck, true);
	}
	return READ_ONCE(c->stuck);
}

/**
 * lsmpmon_copy - a copy of counters that no writer was half-way through
 * @c: the CPU that writes them
 * @from: the counters
 * @copy: where the copy goes
 * @size: of either; at most that of a cell
 *
 * A writer that had begun before the first copy and shows in it in part has
 * ended by the time that @busy is seen zero, so the second copy shows all
 * of it and differs.  One that begins later does not show in the first copy.
 *
 * A writer is done within nanoseconds, unless its CPU is a virtual one that
 * does not run: then sleep between tries.  Who is killed meanwhile gets what is
 * there, and does not come to use it.  If it is never done, readers do not wait
 * forever, and of each CPU only the first waits long: they get what is there.
 *
 * Context: process context, may sleep unless @c is this CPU and stays so.
 */
void lsmpmon_copy(struct lsmpmon_cpu *c, const void *from, void *copy,
		  size_t size)
{
	unsigned long end = 0;
	int tries;

	for (tries = 0; !lsmpmon_copy_once(c, from, copy, size); tries++) {
		if (fatal_signal_pending(current))
			return;
		if (tries < QUICK_TRIES) {
			cpu_relax();
			continue;
		}
		if (lsmpmon_is_stuck(c, &end))
			return;
		schedule_timeout_killable(1);
	}
	if (READ_ONCE(c->stuck))
		WRITE_ONCE(c->stuck, false);
}

/**
 * lsmpmon_cell_read_cpu - what is known of one hook and verdict on one CPU
 * @cpu: which
 * @hook: the hook, or LSMPMON_HOOK_SELF
 * @verdict: the verdict
 * @cell: where it goes
 *
 * Consistent, however busy that CPU is.
 *
 * Context: process context, may sleep.
 */
void lsmpmon_cell_read_cpu(int cpu, enum lsmpmon_hook hook,
			   enum lsmpmon_verdict verdict,
			   struct lsmpmon_cell *cell)
{
	struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);

	*cell = (struct lsmpmon_cell){ .min = U64_MAX };
	lsmpmon_store_hold();
	if (READ_ONCE(c->cell))
		lsmpmon_copy(c, &c->cell[hook][verdict], cell, sizeof(*cell));
	lsmpmon_store_release();
	/* Some machines have thousands of CPUs. */
	cond_resched();
}

/**
 * lsmpmon_cell_read - what is known of one hook and verdict, over all CPUs
 * @hook: the hook, or LSMPMON_HOOK_SELF
 * @verdict: the verdict
 * @total: where it goes
 *
 * Consistent for each CPU, however busy it is.
 *
 * Context: process context, may sleep.
 */
void lsmpmon_cell_read(enum lsmpmon_hook hook, enum lsmpmon_verdict verdict,
		       struct lsmpmon_cell *total)
{
	struct lsmpmon_cell cell;
	int cpu;

	*total = (struct lsmpmon_cell){ .min = U64_MAX };
	for_each_possible_cpu(cpu) {
		lsmpmon_cell_read_cpu(cpu, hook, verdict, &cell);
		lsmpmon_cell_add(total, &cell);
	}
}

/**
 * lsmpmon_untimed_read_cpu - calls of one hook and verdict on one CPU that were
 *	counted and not timed
 * @cpu: which
 * @hook: the hook, or LSMPMON_HOOK_SELF
 * @verdict: the verdict
 *
 * Context: process context.
 * Return: how many of them.
 */
u64 lsmpmon_untimed_read_cpu(int cpu, enum lsmpmon_hook hook,
			     enum lsmpmon_verdict verdict)
{
	struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
	u64 count = 0;

	lsmpmon_store_hold();
	if (READ_ONCE(c->untimed))
		lsmpmon_copy(c, &c->untimed[hook][verdict], &count,
			     sizeof(count));
	lsmpmon_store_release();
	cond_resched();
	return count;
}

/**
 * lsmpmon_untimed_read - the same over all CPUs
 * @hook: the hook, or LSMPMON_HOOK_SELF
 * @verdict: the verdict
 *
 * Context: process context.
 * Return: how many of them.
 */
u64 lsmpmon_untimed_read(enum lsmpmon_hook hook, enum lsmpmon_verdict verdict)
{
	u64 count = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		count += lsmpmon_untimed_read_cpu(cpu, hook, verdict);
	return count;
}

/* The sum over all CPUs of a counter that each has. */
static u64 lsmpmon_sum(size_t member)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const void *c = per_cpu_ptr(&lsmpmon_cpu, cpu);

		sum += READ_ONCE(*(const u64 *)(c + member));
	}
	return sum;
}

/**
 * lsmpmon_lost - what ended since the last reset and is missing in a counter
 *
 * Context: process context.
 * Return: how many of them.
 */
u64 lsmpmon_lost(void)
{
	return lsmpmon_sum(offsetof(struct lsmpmon_cpu, lost));
}

/**
 * lsmpmon_backwards - times since the last reset in which the clock went back
 *
 * Context: process context.
 * Return: how many of them.
 */
u64 lsmpmon_backwards(void)
{
	return lsmpmon_sum(offsetof(struct lsmpmon_cpu, backwards));
}
