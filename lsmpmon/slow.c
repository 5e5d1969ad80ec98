// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the slowest calls of each hook
 *
 * Each CPU keeps the slowest calls that ended on it, as many as are shown.  So the
 * slowest calls of all CPUs are among them, whichever CPU each has ended on.
 *
 * Interrupts are off while a call is inserted.  An NMI cannot insert a call of the same
 * hook then, and counts it as lost.
 */

#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "counter.h"
#include "slow.h"

static struct lsmpmon_slow *lsmpmon_fastest_of(struct lsmpmon_slowest *slowest)
{
	struct lsmpmon_slow *call = slowest->call, *fastest = call;

	for (call++; call < slowest->call + LSMPMON_SLOWEST; call++)
		if (call->wall < fastest->wall)
			fastest = call;
	return fastest;
}

/* Add a call, in the place of the fastest one if there is no other. */
static void lsmpmon_slow_put(struct lsmpmon_slowest *slowest,
			     const struct lsmpmon_slow *call)
{
	struct lsmpmon_slow_head *head = &slowest->head;

	head->changes++;
	if (head->count < LSMPMON_SLOWEST)
		slowest->call[head->count++] = *call;
	else
		*lsmpmon_fastest_of(slowest) = *call;
	if (head->count == LSMPMON_SLOWEST)
		WRITE_ONCE(head->limit, lsmpmon_fastest_of(slowest)->wall + 1);
}

/**
 * lsmpmon_slow_insert - keep a call if it is one of the slowest of its hook
 * @hook: number of the hook
 * @call: the call
 *
 * Context: any, as a writer.
 */
void lsmpmon_slow_insert(enum lsmpmon_hook hook, const struct lsmpmon_slow *call)
{
	struct lsmpmon_slowest *slowest;
	unsigned long flags;

	/* The feature may have been switched off since lsmpmon_is_slow(). */
	if (!static_branch_likely(&lsmpmon_slowest_on))
		return;
	slowest = &raw_cpu_read(lsmpmon_cpu.slowest)[hook];
	raw_local_irq_save(flags);
	if (unlikely(slowest->head.inserting)) {
		lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.lost), 1);
	} else if (call->wall >= slowest->head.limit) {
		WRITE_ONCE(slowest->head.inserting, true);
		barrier();	/* before the calls, for NMIs */
		lsmpmon_slow_put(slowest, call);
		barrier();	/* after the calls, for NMIs */
		WRITE_ONCE(slowest->head.inserting, false);
	}
	raw_local_irq_restore(flags);
}

NOKPROBE_SYMBOL(lsmpmon_slow_insert);

/*
 * Copy the head, the calls and the head again.  A writer that changed a call while it was
 * copied is in the second copy of the head, and not in the first one, since neither has a
 * writer half-way through.  Try again then.
 */
static void lsmpmon_slow_copy(struct lsmpmon_cpu *c,
			      const struct lsmpmon_slowest *slowest,
			      struct lsmpmon_slowest *copy)
{
	struct lsmpmon_slow_head again;

	do {
		cond_resched();
		lsmpmon_copy(c, &slowest->head, &copy->head, sizeof(again));
		if (!copy->head.count)
			return;
		/* Race with a writer: the second copy of the head detects it. */
		data_race(memcpy(copy->call, slowest->call, sizeof(copy->call)));
		lsmpmon_copy(c, &slowest->head, &again, sizeof(again));
	} while (again.changes != copy->head.changes &&
		 !READ_ONCE(c->stuck) && !fatal_signal_pending(current));
}

/**
 * lsmpmon_slow_read - read the slowest calls of a hook on one CPU
 * @cpu: number of the CPU
 * @hook: number of the hook
 * @copy: set to a consistent copy, with the exceptions of lsmpmon_copy(); empty if the
 *	CPU has none
 *
 * Context: process context, may sleep.
 */
void lsmpmon_slow_read(int cpu, enum lsmpmon_hook hook,
		       struct lsmpmon_slowest *copy)
{
	struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);

	BUILD_BUG_ON(sizeof(copy->head) > LSMPMON_COPY_SIZE);
	lsmpmon_slow_wipe(copy);
	lsmpmon_store_hold();
	if (READ_ONCE(c->slowest))
		lsmpmon_slow_copy(c, &c->slowest[hook], copy);
	lsmpmon_store_release();
}

/* Of two calls that took as long, the earlier one comes first. */
static bool lsmpmon_comes_before(const struct lsmpmon_slow *a,
				 const struct lsmpmon_slow *b)
{
	return a->wall != b->wall ? a->wall > b->wall : a->end < b->end;
}

/* Insert a call in its place; return the new number of calls. */
static unsigned int lsmpmon_slow_sort_in(struct lsmpmon_slow *total,
					 unsigned int count,
					 const struct lsmpmon_slow *call)
{
	unsigned int place = count;

	while (place && lsmpmon_comes_before(call, &total[place - 1]))
		place--;
	if (place == LSMPMON_SLOWEST)
		return count;
	if (count < LSMPMON_SLOWEST)
		count++;
	memmove(&total[place + 1], &total[place],
		(count - place - 1) * sizeof(*total));
	total[place] = *call;
	return count;
}

/**
 * lsmpmon_slow_merge - merge the slowest calls of a CPU with those of others
 * @total: the slowest calls of all CPUs so far, the slowest first; room for
 *	LSMPMON_SLOWEST
 * @count: number of calls in @total
 * @slowest: the calls to merge
 *
 * Context: any; nobody else may be writing to either.
 * Return: the new number of calls in @total.
 */
unsigned int lsmpmon_slow_merge(struct lsmpmon_slow *total, unsigned int count,
				const struct lsmpmon_slowest *slowest)
{
	unsigned int i;

	for (i = 0; i < min_t(unsigned int, slowest->head.count, LSMPMON_SLOWEST); i++)
		count = lsmpmon_slow_sort_in(total, count, &slowest->call[i]);
	return count;
}
