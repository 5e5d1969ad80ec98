// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the counters of each CPU
 *
 * The rules of use are in store.h, the writer is record.c.
 */

#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "payer.h"
#include "store.h"

/* How often a reader looks again at once for a writer to be done. */
#define QUICK_TRIES	1000

/* How long it then waits in all. */
#define PATIENCE	(5 * HZ)

/* The CPU, if any, of which a reader has lost patience. */
static const struct lsmpmon_cpu *lsmpmon_stuck;

DEFINE_PER_CPU_ALIGNED(struct lsmpmon_cpu, lsmpmon_cpu);

static void lsmpmon_wipe_cells(struct lsmpmon_cell *cell, size_t n)
{
	while (n--)
		*cell++ = (struct lsmpmon_cell){ .min = U64_MAX };
}

static void lsmpmon_wipe_pairs(struct lsmpmon_pair *pair, size_t n)
{
	while (n--)
		*pair++ = (struct lsmpmon_pair){ .min = U64_MAX };
}

static void lsmpmon_wipe(struct lsmpmon_cpu *c)
{
	int by;

	if (c->cell)
		lsmpmon_wipe_cells(c->cell[0], LSMPMON_CELLS * LSMPMON_VERDICTS);
	if (c->untimed)
		memset(c->untimed, 0, LSMPMON_UNTIMED_SIZE);
	if (c->callback)
		lsmpmon_wipe_cells(c->callback[0],
				   LSMPMON_CALLBACKS * LSMPMON_VERDICTS);
	if (c->histogram)
		memset(c->histogram, 0, LSMPMON_HISTOGRAM_SIZE);
	for (by = 0; by < LSMPMON_PAIR_TABLES; by++)
		if (c->pair[by])
			lsmpmon_wipe_pairs(c->pair[by], LSMPMON_ALL_PLACES);
	if (c->share)
		memset(c->share, 0, LSMPMON_SHARE_SIZE);
	if (c->denial)
		memset(c->denial, 0, LSMPMON_DENIALS * sizeof(*c->denial));
	WRITE_ONCE(c->lost, 0);
	WRITE_ONCE(c->backwards, 0);
}

/**
 * lsmpmon_store_wipe - zero the counters of all CPUs
 *
 * Context: process context or early boot.  Nobody may be recording, as rule 3
 *	says.
 */
void lsmpmon_store_wipe(void)
{
	int by, cpu;

	lsmpmon_payers_forget();
	for (by = 0; by < LSMPMON_PAIR_TABLES; by++)
		if (lsmpmon_places[by])
			lsmpmon_places_wipe(lsmpmon_places[by]);
	for_each_possible_cpu(cpu)
		lsmpmon_wipe(per_cpu_ptr(&lsmpmon_cpu, cpu));
}

/**
 * lsmpmon_store_give - memory for a table of one CPU, unless it has it already
 * @table: where it goes
 * @size: how much
 * @cpu: whose
 *
 * What was given stays.
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_store_give(void **table, size_t size, int cpu)
{
	void *memory;

	if (*table)
		return 0;
	memory = kvzalloc_node(size, GFP_KERNEL, cpu_to_node(cpu));
	if (!memory)
		return -ENOMEM;
	/* Zeroes first, for readers and writers that find it. */
	smp_store_release(table, memory);
	return 0;
}

static int lsmpmon_prepare_cpu(int cpu)
{
	struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);

	return lsmpmon_store_give((void **)&c->denial, LSMPMON_DENIALS *
				  sizeof(*c->denial), cpu) ?:
		lsmpmon_store_give((void **)&c->cell, LSMPMON_CELL_SIZE, cpu);
}

/**
 * lsmpmon_store_prepare - memory for what every measuring counts
 *
 * For all CPUs that there may be, before the first measuring.
 *
 * Context: process context or early boot, may sleep; nobody may be recording.
 * Return: 0 or -ENOMEM; what was given until then stays.
 */
int lsmpmon_store_prepare(void)
{
	static bool prepared;
	int cpu, err = 0;

	if (prepared)
		return 0;
	for_each_possible_cpu(cpu)
		err = err ?: lsmpmon_prepare_cpu(cpu);
	if (err)
		return err;
	lsmpmon_store_wipe();
	prepared = true;
	return 0;
}

/**
 * lsmpmon_store_size - memory that the counters of one CPU take
 *
 * Context: process context.
 * Return: bytes.
 */
size_t lsmpmon_store_size(void)
{
	const struct lsmpmon_cpu *c = raw_cpu_ptr(&lsmpmon_cpu);
	size_t size = 0;
	int by;

	if (c->cell)
		size += LSMPMON_CELL_SIZE +
			LSMPMON_DENIALS * sizeof(*c->denial);
	if (c->untimed)
		size += LSMPMON_UNTIMED_SIZE;
	if (c->callback)
		size += LSMPMON_CALLBACK_SIZE;
	if (c->histogram)
		size += LSMPMON_HISTOGRAM_SIZE;
	for (by = 0; by < LSMPMON_PAIR_TABLES; by++)
		if (c->pair[by])
			size += LSMPMON_PAIR_SIZE;
	if (c->share)
		size += LSMPMON_SHARE_SIZE;
	if (c->name)
		size += LSMPMON_NAME_SIZE;
	return size;
}

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
static bool lsmpmon_is_stuck(const struct lsmpmon_cpu *c, unsigned long *end)
{
	if (!*end)
		*end = (jiffies + PATIENCE) ?: 1;
	else if (time_after(jiffies, *end) &&
		 cmpxchg(&lsmpmon_stuck, NULL, c) != c)
		pr_warn_once("lsmpmon: a writer of counters does not end\n");
	return READ_ONCE(lsmpmon_stuck) == c;
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
 * forever, and only one of them does so for long: they get what is there.
 *
 * Context: process context, may sleep unless @c is this CPU and stays so.
 */
void lsmpmon_copy(const struct lsmpmon_cpu *c, const void *from, void *copy,
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
	if (READ_ONCE(lsmpmon_stuck) == c)
		WRITE_ONCE(lsmpmon_stuck, NULL);
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
 * Context: process context.
 */
void lsmpmon_cell_read_cpu(int cpu, enum lsmpmon_hook hook,
			   enum lsmpmon_verdict verdict,
			   struct lsmpmon_cell *cell)
{
	struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);

	*cell = (struct lsmpmon_cell){ .min = U64_MAX };
	if (READ_ONCE(c->cell))
		lsmpmon_copy(c, &c->cell[hook][verdict], cell, sizeof(*cell));
}

/**
 * lsmpmon_cell_read - what is known of one hook and verdict, over all CPUs
 * @hook: the hook, or LSMPMON_HOOK_SELF
 * @verdict: the verdict
 * @total: where it goes
 *
 * Consistent for each CPU, however busy it is.
 *
 * Context: process context.
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

	if (READ_ONCE(c->untimed))
		lsmpmon_copy(c, &c->untimed[hook][verdict], &count,
			     sizeof(count));
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

/**
 * lsmpmon_lost - what ended since the last reset and is missing in a counter
 *
 * Context: process context.
 * Return: how many of them.
 */
u64 lsmpmon_lost(void)
{
	u64 lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu_ptr(&lsmpmon_cpu, cpu)->lost);
	return lost;
}

/**
 * lsmpmon_backwards - times since the last reset in which the clock went back
 *
 * Context: process context.
 * Return: how many of them.
 */
u64 lsmpmon_backwards(void)
{
	u64 backwards = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		backwards += READ_ONCE(per_cpu_ptr(&lsmpmon_cpu, cpu)->backwards);
	return backwards;
}
