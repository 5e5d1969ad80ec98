// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the counters of each CPU
 *
 * The rules of access are in store.h.  record.c is the writer.
 */

#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "store.h"

static_assert(sizeof(struct lsmpmon_cell) <= LSMPMON_COPY_SIZE);
static_assert(sizeof(struct lsmpmon_pair) <= LSMPMON_COPY_SIZE);

/* Retries of a reader without sleeping. */
#define QUICK_TRIES	1000

/* Total time of the retries that sleep, in jiffies. */
#define PATIENCE	(5 * HZ)

DEFINE_PER_CPU_ALIGNED(struct lsmpmon_cpu, lsmpmon_cpu);

DECLARE_RWSEM(lsmpmon_tables);

unsigned int lsmpmon_paused __read_mostly = true;

/**
 * lsmpmon_cell_add - add one cell to another
 * @total: the sum; its initial @min is U64_MAX
 * @cell: the cell to add
 *
 * Context: any; nobody else may be writing to either.
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
	lsmpmon_times_add(&total->times, &cell->times);
}

/**
 * struct lsmpmon_pieces - counters that are copied together
 * @from: the first piece
 * @size: bytes of a piece
 * @n: number of pieces; @n times @size is at most LSMPMON_COPY_SIZE
 * @apart: bytes from the beginning of a piece to that of the next
 */
struct lsmpmon_pieces {
	const void *from;
	size_t size;
	unsigned int n;
	size_t apart;
};

static void lsmpmon_gather(const struct lsmpmon_pieces *p, void *copy)
{
	unsigned int i;

	for (i = 0; i < p->n; i++)
		/* Race with a writer, which lsmpmon_copy_once() detects. */
		data_race(memcpy(copy + i * p->size, p->from + i * p->apart,
				 p->size));
}

/* Try to copy once; true if the copy is consistent. */
static bool lsmpmon_copy_once(const struct lsmpmon_cpu *c,
			      const struct lsmpmon_pieces *p, void *copy)
{
	u8 again[LSMPMON_COPY_SIZE];
	unsigned int busy;

	lsmpmon_gather(p, copy);
	smp_rmb();	/* first copy before reading @busy */
	busy = READ_ONCE(c->busy);
	smp_rmb();	/* reading @busy before the second copy */
	lsmpmon_gather(p, again);
	barrier();
	return !busy && !memcmp(copy, again, p->n * p->size);
}

/* Whether to stop waiting for a CPU.  @end is the time limit, initially 0. */
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

/*
 * Copy until a copy is consistent, or there is no more patience.
 *
 * A writer that began before the first copy, and is partly visible in it, has
 * ended when @busy is zero: the second copy has all of its writes and differs.
 * A writer that begins later is not visible in the first copy.
 */
static void lsmpmon_copy_pieces(struct lsmpmon_cpu *c,
				const struct lsmpmon_pieces *p, void *copy)
{
	unsigned long end = 0;
	int tries;

	for (tries = 0; !lsmpmon_copy_once(c, p, copy); tries++) {
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
 * lsmpmon_copy - make a consistent copy of counters
 * @c: the CPU that writes the counters
 * @from: the counters
 * @copy: buffer for the copy
 * @size: number of bytes; at most LSMPMON_COPY_SIZE
 *
 * A writer takes nanoseconds, unless its virtual CPU is not scheduled: then sleep
 * between tries.  The copy may be inconsistent if the reader is being killed, or
 * if the writer does not end within PATIENCE.  Later readers of that CPU do not
 * wait again.
 *
 * Context: process context, may sleep; with preemption off if @c is this CPU.
 */
void lsmpmon_copy(struct lsmpmon_cpu *c, const void *from, void *copy,
		  size_t size)
{
	const struct lsmpmon_pieces whole = { .from = from, .size = size, .n = 1 };

	lsmpmon_copy_pieces(c, &whole, copy);
}

/**
 * lsmpmon_copy_apart - make a consistent copy of counters that are apart
 * @c: the CPU that writes the counters
 * @from: the first counter
 * @apart: bytes from one counter to the next
 * @copy: buffer for the copies
 * @n: number of counters
 *
 * Context: as lsmpmon_copy(), whose exceptions apply.
 */
void lsmpmon_copy_apart(struct lsmpmon_cpu *c, const u64 *from, size_t apart,
			u64 *copy, unsigned int n)
{
	const struct lsmpmon_pieces counters = {
		.from = from, .size = sizeof(*from), .n = n, .apart = apart,
	};

	lsmpmon_copy_pieces(c, &counters, copy);
}

/**
 * lsmpmon_cell_read_cpu - read the cell of a hook and verdict on one CPU
 * @cpu: number of the CPU
 * @hook: the hook, or LSMPMON_HOOK_SELF
 * @verdict: the verdict
 * @cell: set to a consistent copy; empty if the CPU has no cells
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
	/* There may be thousands of CPUs. */
	cond_resched();
}

/**
 * lsmpmon_cell_read - sum the cells of a hook and verdict over all CPUs
 * @hook: the hook, or LSMPMON_HOOK_SELF
 * @verdict: the verdict
 * @total: set to the sum of consistent copies
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

/* Sum a member of struct lsmpmon_cpu over all CPUs. */
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
 * lsmpmon_lost - number of calls that are missing in a table
 *
 * Context: process context.
 * Return: number since the last reset.
 */
u64 lsmpmon_lost(void)
{
	return lsmpmon_sum(offsetof(struct lsmpmon_cpu, lost));
}

/**
 * lsmpmon_backwards - number of calls in which the clock went back
 *
 * Context: process context.
 * Return: number since the last reset.
 */
u64 lsmpmon_backwards(void)
{
	return lsmpmon_sum(offsetof(struct lsmpmon_cpu, backwards));
}
