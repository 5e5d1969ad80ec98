// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what hook calls wait for
 *
 * The waits in progress are kept with the task, whose stack the hook calls are on.
 * Waits nest: while memory is reclaimed, locks are taken, and where a mutex is waited
 * for, there is a spinlock.  The time of a wait is what is left without the waits inside
 * it, so that no time is in two waits.
 *
 * A wait is counted when it ends, for each open hook call of its context: like the time
 * of a hook call, its waits include those of the hook calls inside it.  Interrupts that
 * open hook calls have waits of their own.
 */

#include <linux/build_bug.h>
#include <linux/lsmpmon_task.h>
#include <linux/string.h>

#include "callback.h"
#include "clock.h"
#include "counter.h"
#include "delay.h"
#include "keys.h"
#include "wait.h"
#include "write.h"

/* Bits of @what of a wait that have the number of interrupts in progress. */
#define WAIT_CONTEXT_BITS	2
#define WAIT_CONTEXT_MASK	((1UL << WAIT_CONTEXT_BITS) - 1)

/*
 * Number of the period in which waits are noted.  What a task has from an earlier one is
 * not valid: its end may not have been seen.
 */
static unsigned int lsmpmon_wait_period __read_mostly;

/**
 * lsmpmon_waits_begin - begin to note waits
 *
 * Context: process context, before the probes are registered.
 */
void lsmpmon_waits_begin(void)
{
	WRITE_ONCE(lsmpmon_wait_period, lsmpmon_wait_period + 1);
}

/* Waits of the current task, without those from an earlier period. */
static struct lsmpmon_task *lsmpmon_waiter(void)
{
	struct lsmpmon_task *t = lsmpmon_of(current);
	const unsigned int period = READ_ONCE(lsmpmon_wait_period);

	if (unlikely(READ_ONCE(t->wait_period) != period)) {
		WRITE_ONCE(t->waits, 0);
		memset(t->wait, 0, sizeof(t->wait));
		WRITE_ONCE(t->wait_period, period);
	}
	return t;
}

/*
 * The innermost span of this context; NULL if there is nobody to count a wait for.  The
 * spans from it to @bound are open, and @what is made distinct from what other contexts
 * wait for.
 */
static const struct lsmpmon_span *
lsmpmon_who_waits(const struct lsmpmon_span **bound, unsigned long *what)
{
	const struct lsmpmon_span *span = READ_ONCE(lsmpmon_of(current)->span);
	int interrupts;

	BUILD_BUG_ON(LSMPMON_IRQS > WAIT_CONTEXT_MASK);
	if (!span)
		return NULL;
	interrupts = lsmpmon_own_spans(bound);
	if (interrupts < 0)
		return NULL;
	*what = *what << WAIT_CONTEXT_BITS | interrupts;
	return span == *bound ? NULL : span;
}

/* The innermost of @number waits, if it is of the same context as @what. */
static struct lsmpmon_waiting *
lsmpmon_innermost_wait(struct lsmpmon_task *t, unsigned int number, unsigned long what)
{
	struct lsmpmon_waiting *wait = number ? &t->wait[number - 1] : NULL;

	return wait && !((READ_ONCE(wait->what) ^ what) & WAIT_CONTEXT_MASK) ?
	       wait : NULL;
}

/* Whether a wait is one for @what that began after a span. */
static bool lsmpmon_is_waiting(const struct lsmpmon_waiting *wait,
			       const struct lsmpmon_span *span, unsigned long what)
{
	return wait && wait->what == what &&
	       !lsmpmon_went_back(wait->begin - span->begin);
}

/* Count a wait for which the task has no room as lost. */
static void lsmpmon_wait_lost(void)
{
	if (!lsmpmon_write_lock())
		return;
	if (static_branch_likely(&lsmpmon_waits_on))
		lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.lost), 1);
	lsmpmon_write_unlock();
}

/* Add a wait inside @outer, the innermost one of @number. */
static void lsmpmon_wait_push(struct lsmpmon_task *t, unsigned int number,
			      struct lsmpmon_waiting *outer, unsigned long what)
{
	struct lsmpmon_waiting *wait = &t->wait[number];

	/* From here on, an interrupt uses the places behind this one. */
	WRITE_ONCE(t->waits, number + 1);
	barrier();
	wait->begin = lsmpmon_clock();
	if (outer)
		outer->begin -= wait->begin;
	barrier();
	WRITE_ONCE(wait->what, what);
}

/**
 * lsmpmon_wait_begins - note that the current task begins to wait
 * @what: address of a lock, or LSMPMON_RECLAIM
 *
 * Some locks say more than once that a task waits, as when it stops spinning and
 * sleeps: that is one wait.
 *
 * Context: any.
 */
void lsmpmon_wait_begins(unsigned long what)
{
	const struct lsmpmon_span *bound, *span = lsmpmon_who_waits(&bound, &what);
	struct lsmpmon_waiting *outer;
	struct lsmpmon_task *t;
	unsigned int number;

	if (!span)
		return;
	t = lsmpmon_waiter();
	number = READ_ONCE(t->waits);
	outer = lsmpmon_innermost_wait(t, number, what);
	if (lsmpmon_is_waiting(outer, span, what))
		return;
	if (number == LSMPMON_WAITS)
		lsmpmon_wait_lost();
	else
		lsmpmon_wait_push(t, number, outer, what);
}

/* Counters of the waits in a hook call: those of the callback in progress, if any. */
static struct lsmpmon_wait *lsmpmon_waits_of(const struct lsmpmon_span *span)
{
	const size_t row = span->hook * LSMPMON_WAIT_ROWS +
			   lsmpmon_place_under_way(span);

	return raw_cpu_read(lsmpmon_cpu.wait)[row].by_kind;
}

static void lsmpmon_wait_add(struct lsmpmon_wait *wait, u64 ticks)
{
	lsmpmon_add(&wait->count, 1);
	lsmpmon_add(&wait->sum, ticks);
	lsmpmon_raise(&wait->max, ticks);
}

/* Count a wait for all spans from @span to @bound that are recorded. */
static void lsmpmon_wait_count(const struct lsmpmon_span *span,
			       const struct lsmpmon_span *bound,
			       enum lsmpmon_wait_kind kind, u64 ticks)
{
	for (; span && span != bound; span = span->outer)
		if (!(span->flags & LSMPMON_UNSELECTED))
			lsmpmon_wait_add(&lsmpmon_waits_of(span)[kind], ticks);
}

static void lsmpmon_wait_record(const struct lsmpmon_span *span,
				const struct lsmpmon_span *bound,
				enum lsmpmon_wait_kind kind, u64 ticks)
{
	if (!lsmpmon_write_lock())
		return;
	/* Not if the feature goes on and off in a session, which keeps the probes. */
	if (!static_branch_likely(&lsmpmon_waits_on))
		goto out;
	if (unlikely(lsmpmon_went_back(ticks)))
		lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.backwards), 1);
	else
		lsmpmon_wait_count(span, bound, kind, ticks);
out:
	lsmpmon_write_unlock();
}

/* Remove the innermost of @number waits; return its ticks. */
static u64 lsmpmon_wait_pop(struct lsmpmon_task *t, unsigned int number,
			    struct lsmpmon_waiting *wait)
{
	const u64 now = lsmpmon_clock(), ticks = now - wait->begin;
	struct lsmpmon_waiting *outer =
		lsmpmon_innermost_wait(t, number - 1, wait->what);

	if (outer)
		outer->begin += now;
	WRITE_ONCE(wait->what, 0);
	barrier();	/* no place that is free has a wait */
	WRITE_ONCE(t->waits, number - 1);
	return ticks;
}

/**
 * lsmpmon_wait_ends - note that the innermost wait of the current task ends
 * @what: as for lsmpmon_wait_begins(); ignored if that was not noted
 *
 * Context: any.
 */
void lsmpmon_wait_ends(unsigned long what)
{
	const enum lsmpmon_wait_kind kind =
		what == LSMPMON_RECLAIM ? LSMPMON_WAIT_RECLAIM : LSMPMON_WAIT_LOCK;
	const struct lsmpmon_span *bound, *span = lsmpmon_who_waits(&bound, &what);
	struct lsmpmon_waiting *wait;
	struct lsmpmon_task *t;
	unsigned int number;

	if (!span)
		return;
	t = lsmpmon_waiter();
	number = READ_ONCE(t->waits);
	wait = lsmpmon_innermost_wait(t, number, what);
	if (lsmpmon_is_waiting(wait, span, what))
		lsmpmon_wait_record(span, bound, kind,
				    lsmpmon_wait_pop(t, number, wait));
}
