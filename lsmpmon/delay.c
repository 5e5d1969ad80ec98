// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the delays of what is in progress
 *
 * The time for which a task is off the CPU or interrupted is added to its innermost
 * span, and to the system call that it is in if that is measured.  At its end, a span
 * passes its delay on to the span around it.
 *
 * A span that an interrupt opens is inside the interrupt, all of which is a delay of
 * the span that was interrupted.  So the interrupts in progress are kept with the
 * task, whose stack they use.  On PREEMPT_RT, a softirq may be preempted: that time is
 * then no part of the softirq.
 *
 * Delays are changed by the CPU that executes the task only, but in any context.
 */

#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/lsmpmon_task.h>
#include <linux/minmax.h>
#include <linux/preempt.h>

#include "clock.h"
#include "counter.h"
#include "delay.h"
#include "frame.h"

/*
 * Number of the period in which disturbances are watched.  What a task has from an
 * earlier one is not valid: its end may not have been seen.
 */
static unsigned int lsmpmon_watch_period __read_mostly;

/**
 * lsmpmon_delays_begin - begin to watch disturbances
 *
 * Context: process context, before the probes are registered.
 */
void lsmpmon_delays_begin(void)
{
	WRITE_ONCE(lsmpmon_watch_period, lsmpmon_watch_period + 1);
}

/* State of a task, without what it has from an earlier period. */
static struct lsmpmon_task *lsmpmon_state_of(struct task_struct *task)
{
	struct lsmpmon_task *t = lsmpmon_of(task);
	const unsigned int period = READ_ONCE(lsmpmon_watch_period);

	if (unlikely(READ_ONCE(t->watch) != period)) {
		WRITE_ONCE(t->depth, 0);
		WRITE_ONCE(t->left, 0);
		WRITE_ONCE(t->watch, period);
	}
	return t;
}

/* Make the delay of a span valid, which is marked next. */
static void lsmpmon_delay_open(struct lsmpmon_span *span, u64 since)
{
	const struct lsmpmon_delay blank = { .since = since, .until = since };

	if (lsmpmon_is_marked(span))
		return;
	/* Race with an interrupt, which is detected below. */
	data_race(span->delay = blank);
	barrier();
	/* Marked by an interrupt, whose time may have been overwritten. */
	if (unlikely(lsmpmon_is_marked(span)))
		WRITE_ONCE(span->delay.unknown, true);
}

/**
 * lsmpmon_delay_add - add one delay to another
 * @total: the sum, which began first
 * @delay: the delay to add
 *
 * Context: any.
 */
void lsmpmon_delay_add(struct lsmpmon_delay *total,
		       const struct lsmpmon_delay *delay)
{
	lsmpmon_add(&total->slept, delay->slept);
	lsmpmon_add(&total->preempted, delay->preempted);
	lsmpmon_add(&total->irq, delay->irq);
	lsmpmon_raise(&total->until, delay->until);
	if (delay->unknown)
		WRITE_ONCE(total->unknown, true);
}

NOKPROBE_SYMBOL(lsmpmon_delay_add);

/**
 * lsmpmon_delay_unknown - note that the delay of what a task does is not known
 * @task: the current task, or one that is switched in; its innermost span is marked next
 *
 * Context: any, preemption off.
 */
void lsmpmon_delay_unknown(struct task_struct *task)
{
	struct lsmpmon_span *span = READ_ONCE(lsmpmon_of(task)->span);

	if (span) {
		lsmpmon_delay_open(span, 0);
		WRITE_ONCE(span->delay.unknown, true);
	}
	WRITE_ONCE(lsmpmon_of(task)->call.delay.unknown, true);
}

/* Whether all of the time of an interrupt in progress is a delay of a span. */
static bool lsmpmon_is_interrupted(const struct lsmpmon_task *t,
				   const struct lsmpmon_span *span)
{
	const unsigned int depth = READ_ONCE(t->depth);

	return depth && depth <= LSMPMON_IRQS && t->irq[depth - 1].span == span;
}

/**
 * lsmpmon_delay_pass_on - add the delay of a span that has ended to the span around it
 * @inner: the delay
 * @span: the span around it, which is marked next
 *
 * Context: any.
 */
void lsmpmon_delay_pass_on(const struct lsmpmon_delay *inner,
			   struct lsmpmon_span *span)
{
	struct lsmpmon_delay delay = *inner;

	/* Interrupts inside an interrupt are a part of it. */
	if (lsmpmon_is_interrupted(lsmpmon_of(current), span))
		delay.irq = 0;
	lsmpmon_delay_open(span, delay.since);
	lsmpmon_delay_add(&span->delay, &delay);
}

NOKPROBE_SYMBOL(lsmpmon_delay_pass_on);

/**
 * lsmpmon_task_leaves - note that a task leaves the CPU
 * @task: the current task, whose innermost span is marked next
 * @sleeps: whether it sleeps; it could still run otherwise
 *
 * Context: in the scheduler, interrupts off.
 */
void lsmpmon_task_leaves(struct task_struct *task, bool sleeps)
{
	struct lsmpmon_span *span = READ_ONCE(lsmpmon_of(task)->span);
	struct lsmpmon_task *t;
	u64 now;

	if (!span && !READ_ONCE(lsmpmon_of(task)->call.begin))
		return;
	t = lsmpmon_state_of(task);
	now = lsmpmon_clock();
	WRITE_ONCE(t->left, now);
	t->sleeps = sleeps;
	if (span)
		lsmpmon_delay_open(span, now);
}

/* Add a delay to that of the system call that a task is in, if it is measured. */
static void lsmpmon_delay_call(struct lsmpmon_task *t,
			       const struct lsmpmon_delay *delay)
{
	if (READ_ONCE(t->call.begin))
		lsmpmon_delay_add(&t->call.delay, delay);
}

/* The interrupts in progress do not include a time off the CPU. */
static void lsmpmon_irqs_pause(struct lsmpmon_task *t, u64 ticks)
{
	unsigned int i;

	for (i = 0; i < min_t(unsigned int, t->depth, LSMPMON_IRQS); i++)
		if (t->irq[i].begin)
			t->irq[i].begin += ticks;
}

/**
 * lsmpmon_task_returns - note that a task returns to the CPU
 * @task: the task that is switched in
 *
 * Context: in the scheduler, interrupts off.
 */
void lsmpmon_task_returns(struct task_struct *task)
{
	struct lsmpmon_span *span = READ_ONCE(lsmpmon_of(task)->span);
	struct lsmpmon_delay delay = { };
	struct lsmpmon_task *t;
	u64 left, ticks;

	if (!span && !READ_ONCE(lsmpmon_of(task)->call.begin))
		return;
	t = lsmpmon_state_of(task);
	left = READ_ONCE(t->left);
	delay.until = lsmpmon_clock();
	ticks = delay.until - left;
	/* It may have left the CPU before this was watched. */
	if (!left || lsmpmon_went_back(ticks)) {
		lsmpmon_delay_unknown(task);
		return;
	}
	*(t->sleeps ? &delay.slept : &delay.preempted) = ticks;
	WRITE_ONCE(t->left, 0);
	lsmpmon_irqs_pause(t, ticks);
	if (span)
		lsmpmon_delay_add(&span->delay, &delay);
	lsmpmon_delay_call(t, &delay);
}

/* Interrupts are off: one in here would use the same element of irq[]. */
static void lsmpmon_irq_push(void)
{
	struct lsmpmon_task *t = lsmpmon_state_of(current);
	struct lsmpmon_span *span = READ_ONCE(t->span);
	struct lsmpmon_irq irq = { .span = span };

	if (span || READ_ONCE(t->call.begin))
		irq.begin = lsmpmon_clock();
	if (t->depth < LSMPMON_IRQS)
		t->irq[t->depth] = irq;
	barrier();	/* complete before it is the innermost interrupt */
	WRITE_ONCE(t->depth, t->depth + 1);
	if (span)
		lsmpmon_delay_open(span, irq.begin);
}

/**
 * lsmpmon_irq_begins - note that an interrupt or softirq begins
 *
 * The innermost span of the current task is marked next.
 *
 * Context: interrupt or softirq.
 */
void lsmpmon_irq_begins(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	lsmpmon_irq_push();
	raw_local_irq_restore(flags);
}

/* Add the time of an interrupt to the delays of what it has interrupted. */
static void lsmpmon_irq_count(struct lsmpmon_task *t, struct lsmpmon_span *span,
			      const struct lsmpmon_delay *delay)
{
	if (span && !lsmpmon_is_interrupted(t, span))
		lsmpmon_delay_add(&span->delay, delay);
	if (!READ_ONCE(t->depth))
		lsmpmon_delay_call(t, delay);
}

/* An interrupt ends whose beginning was not noted. */
static void lsmpmon_irq_unknown(struct lsmpmon_task *t)
{
	struct lsmpmon_delay delay = { .unknown = true };
	struct lsmpmon_span *span = READ_ONCE(t->span);

	if (span) {
		lsmpmon_delay_open(span, 0);
		WRITE_ONCE(span->interrupted, true);
	}
	lsmpmon_irq_count(t, span, &delay);
}

/* Interrupts are off, as in lsmpmon_irq_push(). */
static void lsmpmon_irq_pop(void)
{
	struct lsmpmon_task *t = lsmpmon_state_of(current);
	const unsigned int depth = t->depth;
	struct lsmpmon_delay delay = { };
	struct lsmpmon_irq *irq;

	if (depth)
		WRITE_ONCE(t->depth, depth - 1);
	if (!depth || depth > LSMPMON_IRQS) {
		lsmpmon_irq_unknown(t);
		return;
	}
	irq = &t->irq[depth - 1];
	if (!irq->begin)
		return;
	delay.until = lsmpmon_clock();
	delay.irq = delay.until - irq->begin;
	if (lsmpmon_went_back(delay.irq)) {
		delay.irq = 0;
		delay.unknown = true;
	}
	lsmpmon_irq_count(t, irq->span, &delay);
}

/**
 * lsmpmon_irq_ends - note that an interrupt or softirq ends
 *
 * Context: as lsmpmon_irq_begins().
 */
void lsmpmon_irq_ends(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	lsmpmon_irq_pop();
	raw_local_irq_restore(flags);
}

/**
 * lsmpmon_irq_lasted - note that an interrupt has ended which had no beginning
 * @ticks: how long it lasted
 *
 * The innermost span of the current task is marked next.
 *
 * Context: interrupt or NMI.
 */
void lsmpmon_irq_lasted(u64 ticks)
{
	struct lsmpmon_task *t = lsmpmon_state_of(current);
	struct lsmpmon_span *span = READ_ONCE(t->span);
	struct lsmpmon_delay delay = { .irq = ticks };

	if (!span && !READ_ONCE(t->call.begin))
		return;
	delay.until = lsmpmon_clock();
	if (span)
		lsmpmon_delay_open(span, delay.until - ticks);
	lsmpmon_irq_count(t, span, &delay);
}

/**
 * lsmpmon_own_spans - find the open spans of the context that executes
 * @bound: set to the innermost span of what is interrupted, which is outside of them;
 *	NULL if there is none
 *
 * Context: any.
 * Return: number of interrupts in progress; -1 if one was not noted, as NMIs are not.
 */
int lsmpmon_own_spans(const struct lsmpmon_span **bound)
{
	const struct lsmpmon_task *t;
	unsigned int depth;

	if (in_nmi())
		return -1;
	t = lsmpmon_state_of(current);
	depth = READ_ONCE(t->depth);
	if (depth < !!in_hardirq() + !!in_serving_softirq() || depth > LSMPMON_IRQS)
		return -1;
	*bound = depth ? t->irq[depth - 1].span : NULL;
	return depth;
}

NOKPROBE_SYMBOL(lsmpmon_own_spans);
