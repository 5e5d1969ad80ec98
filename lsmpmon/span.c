// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: from two clock reads to a record
 *
 * This is the hot path: lsmpmon_enter() and lsmpmon_exit() run around every
 * hook call while somebody watches.  Rules:
 *
 * - The clock is the last thing read on entry and the first on exit, so that
 *   a span holds as little of the monitor as can be.
 * - No lock, no shared cache line is written, nothing is allocated, nothing
 *   divided.  Safe in task, softirq, hardirq and NMI context, and when the
 *   task is preempted or migrated inside the span.
 * - A call is counted when it ends, in one record: whole or not at all.
 * - What is rare is in functions of its own, called last, so that the usual
 *   call saves no register for it.
 */

#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "clock.h"
#include "feature.h"
#include "span.h"
#include "syscall.h"
#include "trace.h"

DEFINE_STATIC_KEY_FALSE(lsmpmon_watched);
DEFINE_STATIC_KEY_FALSE(lsmpmon_detailed);
DEFINE_STATIC_KEY_FALSE(lsmpmon_marking);
bool lsmpmon_paused __read_mostly = true;

/* Spans deeper than this are only counted as lost. */
#define DEEPEST		sizeof_field(struct lsmpmon_task, span)

static __always_inline struct lsmpmon_span *span_at(struct lsmpmon_task *t,
						    unsigned long offset)
{
	BUILD_BUG_ON_NOT_POWER_OF_2(DEEPEST);
	return (void *)t->span + offset;
}

/**
 * lsmpmon_enter - a hook call begins
 *
 * Every call is followed by one of lsmpmon_exit() in the same context.
 *
 * Context: any.
 */
void lsmpmon_enter(void)
{
	struct lsmpmon_task *t = &current->lsmpmon;
	unsigned long top = t->top;

	t->top = top + sizeof(struct lsmpmon_span);
	barrier();	/* an interrupt from here on pushes above this span */
	if (unlikely(top >= DEEPEST)) {
		t->mark = ULONG_MAX;	/* none of those open ends as usual */
		return;
	}
	span_at(t, top)->begin = lsmpmon_clock();
}

NOKPROBE_SYMBOL(lsmpmon_enter);

static __always_inline void write_begin(struct lsmpmon_cpu *c)
{
	WRITE_ONCE(c->busy, 1);
	smp_wmb();	/* @busy before the counters, for readers */
}

static __always_inline void write_end(struct lsmpmon_cpu *c)
{
	smp_wmb();	/* the counters before @busy, for readers */
	WRITE_ONCE(c->busy, 0);
}

static __always_inline struct lsmpmon_cell *cell_at(struct lsmpmon_cpu *c,
						    unsigned long offset)
{
	return (void *)c->cell + offset;
}

static __always_inline void count(struct lsmpmon_cell *cell, u64 ticks)
{
	cell->count++;
	cell->sum += ticks;
	if (unlikely(ticks < cell->min))
		cell->min = ticks;
}

static __always_inline void count_quiet(struct lsmpmon_cell *cell, u64 ticks)
{
	count(cell, ticks);
	if (unlikely(ticks > cell->quiet_max))
		cell->quiet_max = ticks;
}

static __always_inline void count_interrupted(struct lsmpmon_cell *cell,
					      u64 ticks)
{
	count(cell, ticks);
	cell->irq_count++;
	cell->irq_sum += ticks;
	if (ticks > cell->irq_max)
		cell->irq_max = ticks;
}

static __kprobes void
write_record(struct lsmpmon_cell *cell, int rc, u64 ticks,
	     enum lsmpmon_disturbance disturbance)
{
	if (rc < 0)
		cell += LSMPMON_DENY - LSMPMON_ALLOW;
	switch (disturbance) {
	case LSMPMON_QUIET:
		count_quiet(cell, ticks);
		break;
	case LSMPMON_INTERRUPTED:
		count_interrupted(cell, ticks);
		break;
	case LSMPMON_SWITCHED:
		cell->cs_count++;
		break;
	}
}

/* Become this CPU's writer, or give NULL where that cannot or need not be. */
static __always_inline struct lsmpmon_cpu *write_lock_cpu(unsigned long *flags)
{
	struct lsmpmon_cpu *c;

	raw_local_irq_save(*flags);
	c = this_cpu_ptr(&lsmpmon_cpu);
	/* Before the counters, for resets. */
	if (smp_load_acquire(&lsmpmon_paused))
		goto out;
	/* An NMI has struck a writer. */
	if (READ_ONCE(c->busy)) {
		WRITE_ONCE(c->lost, c->lost + 1);
		goto out;
	}
	write_begin(c);
	return c;
out:
	raw_local_irq_restore(*flags);
	return NULL;
}

static __always_inline void write_unlock_cpu(struct lsmpmon_cpu *c,
					     unsigned long flags)
{
	write_end(c);
	raw_local_irq_restore(flags);
}

/* Whatever is not an undisturbed call that allows, or has features on. */
static noinline __kprobes int
record_slowly(unsigned long offset, int rc, u64 ticks,
	      enum lsmpmon_disturbance disturbance)
{
	const unsigned int hook = offset / LSMPMON_OFFSET(1);
	const bool switched = disturbance == LSMPMON_SWITCHED;
	struct lsmpmon_cpu *c;
	unsigned long flags;

	c = write_lock_cpu(&flags);
	if (!c)
		return rc;
	write_record(cell_at(c, offset), rc, ticks, disturbance);
	if (hook == LSMPMON_HOOK_SELF)
		goto out;
	if (static_branch_unlikely(&lsmpmon_histogram_on) && !switched)
		c->histogram[hook][lsmpmon_bucket(ticks)]++;
	if (static_branch_unlikely(&lsmpmon_syscall_on))
		lsmpmon_pair_count(c, LSMPMON_PAIR(lsmpmon_operation(&c->fallbacks),
						   hook), ticks, switched);
out:
	write_unlock_cpu(c, flags);
	return rc;
}

static __always_inline enum lsmpmon_disturbance
disturbance_of(struct lsmpmon_task *t, unsigned long top)
{
	enum lsmpmon_disturbance disturbance = LSMPMON_QUIET;

	if (unlikely(top < t->mark))
		disturbance = LSMPMON_INTERRUPTED;
	if (unlikely(top < t->switch_mark))
		disturbance = LSMPMON_SWITCHED;
	t->mark = min(t->mark, top);
	t->switch_mark = min(t->switch_mark, top);
	return disturbance;
}

/* More spans are open than a task has room for. */
static void lose(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);	/* a reset waits for this, too */
	if (!READ_ONCE(lsmpmon_paused))
		this_cpu_inc(lsmpmon_cpu.lost);
	raw_local_irq_restore(flags);
}

/* The span that ended at @top was disturbed, or is deeper than there is room. */
static noinline __kprobes int exit_disturbed(unsigned long offset, int rc,
					     u64 ticks, unsigned long top)
{
	enum lsmpmon_disturbance disturbance;

	disturbance = disturbance_of(&current->lsmpmon, top);
	if (likely(top < DEEPEST))
		return record_slowly(offset, rc, ticks, disturbance);
	lose();
	return rc;
}

/**
 * lsmpmon_exit - a hook call ends
 * @offset: which hook, as LSMPMON_OFFSET()
 * @rc: what it returned; 0 for void hooks
 *
 * Context: any.
 * Return: @rc.
 */
int lsmpmon_exit(unsigned long offset, int rc)
{
	u64 now = lsmpmon_clock();
	struct lsmpmon_task *t = &current->lsmpmon;
	unsigned long top = t->top - sizeof(struct lsmpmon_span);
	u64 ticks = now - span_at(t, top % DEEPEST)->begin;
	struct lsmpmon_cpu *c;
	unsigned long flags;

	barrier();	/* an interrupt from here on may use this span again */
	t->top = top;
	barrier();	/* and from here on does not disturb it any more */
	if (unlikely(top < t->mark))
		return exit_disturbed(offset, rc, ticks, top);
	if (static_branch_unlikely(&lsmpmon_extras))
		return record_slowly(offset, rc, ticks, LSMPMON_QUIET);

	raw_local_irq_save(flags);
	c = this_cpu_ptr(&lsmpmon_cpu);
	/* Races: control.c pauses with a grace period, @busy is this CPU's. */
	if (unlikely(data_race(rc | c->busy | lsmpmon_paused))) {
		raw_local_irq_restore(flags);
		return record_slowly(offset, rc, ticks, LSMPMON_QUIET);
	}
	smp_rmb();	/* lsmpmon_paused before the counters, for resets */
	write_begin(c);
	count_quiet(cell_at(c, offset), ticks);
	write_end(c);
	raw_local_irq_restore(flags);
	return 0;
}

NOKPROBE_SYMBOL(lsmpmon_exit);

/**
 * lsmpmon_exit_default - a call of a hook ends whose default is not zero
 * @offset: which hook, as LSMPMON_OFFSET()
 * @rc: what it returned
 * @no_opinion: the hook's default, which denies nothing
 *
 * Context: any.
 * Return: @rc.
 */
int lsmpmon_exit_default(unsigned long offset, int rc, int no_opinion)
{
	lsmpmon_exit(offset, rc == no_opinion ? 0 : rc);
	return rc;
}

NOKPROBE_SYMBOL(lsmpmon_exit_default);

/*
 * Open-coded loops: the verdict is that of the callback called last, which
 * the end of the loop does not know, since a loop may be left anywhere.
 */

static __always_inline struct lsmpmon_span *last_span(void)
{
	struct lsmpmon_task *t = &current->lsmpmon;

	return span_at(t, (t->top - sizeof(struct lsmpmon_span)) % DEEPEST);
}

/**
 * lsmpmon_loop_enter - an open-coded loop over a hook's callbacks begins
 *
 * Context: any.
 */
void lsmpmon_loop_enter(void)
{
	struct lsmpmon_task *t = &current->lsmpmon;

	span_at(t, t->top % DEEPEST)->rc = 0;
	lsmpmon_enter();
}

NOKPROBE_SYMBOL(lsmpmon_loop_enter);

/**
 * lsmpmon_loop_note - a callback in an open-coded loop has returned
 * @rc: what it returned; 0 for the hook's default
 *
 * Context: any.
 */
void lsmpmon_loop_note(int rc)
{
	last_span()->rc = rc;
}

NOKPROBE_SYMBOL(lsmpmon_loop_note);

/**
 * lsmpmon_loop_exit - an open-coded loop over a hook's callbacks is left
 * @offset: which hook, as LSMPMON_OFFSET()
 *
 * Context: any.
 */
void lsmpmon_loop_exit(unsigned long offset)
{
	lsmpmon_exit(offset, last_span()->rc);
}

NOKPROBE_SYMBOL(lsmpmon_loop_exit);

/*
 * The detailed path: callbacks have spans of their own inside the hook's.
 */

/* In struct lsmpmon_span: callbacks in this hook call are measured. */
#define SPAN_MODULES	BIT(0)
/* This is the span of a callback. */
#define SPAN_CALLBACK	BIT(1)

static __always_inline void open_span(struct lsmpmon_task *t,
				      unsigned int flags)
{
	unsigned long top = t->top;

	t->top = top + sizeof(struct lsmpmon_span);
	barrier();	/* an interrupt from here on pushes above this span */
	if (unlikely(top >= DEEPEST)) {
		t->mark = ULONG_MAX;	/* none of those open ends as usual */
		return;
	}
	span_at(t, top)->rc = 0;
	span_at(t, top)->flags = flags;
	span_at(t, top)->begin = lsmpmon_clock();
}

/* Close the last span; false if it was too deep to be measured. */
static __always_inline bool
close_span(struct lsmpmon_task *t, u64 now, u64 *ticks,
	   enum lsmpmon_disturbance *disturbance)
{
	unsigned long top = t->top - sizeof(struct lsmpmon_span);

	*ticks = now - span_at(t, top % DEEPEST)->begin;
	barrier();	/* an interrupt from here on may use this span again */
	t->top = top;
	barrier();	/* and from here on does not disturb it any more */
	*disturbance = disturbance_of(t, top);
	if (likely(top < DEEPEST))
		return true;
	lose();
	return false;
}

/**
 * lsmpmon_enter_detailed - a hook call begins, on the detailed path
 * @hook: which
 *
 * Every call is followed by one of lsmpmon_exit_detailed() in the same context.
 *
 * Context: any.
 */
void lsmpmon_enter_detailed(enum lsmpmon_hook hook)
{
	unsigned int flags = 0;

	if (static_branch_unlikely(&lsmpmon_module_on))
		flags |= SPAN_MODULES;
	lsmpmon_trace_enter(hook);
	open_span(&current->lsmpmon, flags);
}

NOKPROBE_SYMBOL(lsmpmon_enter_detailed);

/**
 * lsmpmon_exit_detailed - a hook call ends, on the detailed path
 * @hook: which
 * @rc: what it returned; 0 for void hooks
 * @no_opinion: the hook's default, which denies nothing
 *
 * Context: any.
 * Return: @rc.
 */
int lsmpmon_exit_detailed(enum lsmpmon_hook hook, int rc, int no_opinion)
{
	u64 now = lsmpmon_clock();
	const int verdict = rc == no_opinion ? 0 : rc;
	enum lsmpmon_disturbance disturbance;
	u64 ticks;

	if (!close_span(&current->lsmpmon, now, &ticks, &disturbance))
		return rc;
	record_slowly(LSMPMON_OFFSET(hook), verdict, ticks, disturbance);
	lsmpmon_trace_exit(hook, verdict, ticks, disturbance);
	return rc;
}

NOKPROBE_SYMBOL(lsmpmon_exit_detailed);

/**
 * lsmpmon_callback_enter - in a hook call a callback begins
 *
 * Every call is followed by one of lsmpmon_callback_exit() in the same context.
 *
 * Context: any, between lsmpmon_enter_detailed() and lsmpmon_exit_detailed().
 */
void lsmpmon_callback_enter(void)
{
	struct lsmpmon_task *t = &current->lsmpmon;

	if (t->top < DEEPEST && last_span()->flags & SPAN_MODULES)
		open_span(t, SPAN_CALLBACK);
}

NOKPROBE_SYMBOL(lsmpmon_callback_enter);

/* The caller's span was measured. */
static noinline __kprobes void record_callback(unsigned int callback, int rc,
					       u64 ticks,
					       enum lsmpmon_disturbance disturbance)
{
	struct lsmpmon_cpu *c;
	unsigned long flags;

	c = write_lock_cpu(&flags);
	if (!c)
		return;
	/* A hook call may last from before the feature was ever switched on. */
	if (likely(c->callback))
		write_record(c->callback[callback], rc, ticks, disturbance);
	write_unlock_cpu(c, flags);
}

/**
 * lsmpmon_callback_exit - in a hook call a callback ends
 * @callback: which, as LSMPMON_CALLBACK()
 * @rc: what it returned; 0 for void hooks
 * @no_opinion: the hook's default, which denies nothing
 *
 * Context: as lsmpmon_callback_enter().
 * Return: @rc.
 */
int lsmpmon_callback_exit(unsigned int callback, int rc, int no_opinion)
{
	u64 now = lsmpmon_clock();
	struct lsmpmon_task *t = &current->lsmpmon;
	enum lsmpmon_disturbance disturbance;
	u64 ticks;

	/* If the callback has no span, the last one is the hook's. */
	if (t->top > DEEPEST || !(last_span()->flags & SPAN_CALLBACK))
		return rc;
	if (close_span(t, now, &ticks, &disturbance))
		record_callback(callback, rc == no_opinion ? 0 : rc, ticks,
				disturbance);
	return rc;
}

NOKPROBE_SYMBOL(lsmpmon_callback_exit);

/**
 * lsmpmon_loop_exit_detailed - an open-coded loop is left, on the detailed path
 * @hook: whose callbacks it called
 *
 * Context: any.
 */
void lsmpmon_loop_exit_detailed(enum lsmpmon_hook hook)
{
	lsmpmon_exit_detailed(hook, last_span()->rc, 0);
}

NOKPROBE_SYMBOL(lsmpmon_loop_exit_detailed);
