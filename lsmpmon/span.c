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

#include <linux/bitfield.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "calls.h"
#include "clock.h"
#include "denial.h"
#include "feature.h"
#include "span.h"
#include "syscall.h"
#include "trace.h"

DEFINE_STATIC_KEY_FALSE(lsmpmon_watched);
DEFINE_STATIC_KEY_FALSE(lsmpmon_detailed);
DEFINE_STATIC_KEY_FALSE(lsmpmon_traced);
DEFINE_STATIC_KEY_FALSE(lsmpmon_marking);
unsigned int lsmpmon_paused __read_mostly = true;

/* Spans deeper than this are only counted as lost. */
#define DEEPEST		sizeof_field(struct lsmpmon_task, span)

static __always_inline struct lsmpmon_span *span_at(struct lsmpmon_task *t,
						    unsigned long offset)
{
	BUILD_BUG_ON_NOT_POWER_OF_2(DEEPEST);
	BUILD_BUG_ON_NOT_POWER_OF_2(LSMPMON_OFFSET(1));
	return (void *)t->span + offset;
}

/* The offset of one span more; DEEPEST or above where there is no room. */
static __always_inline unsigned long push_span(struct lsmpmon_task *t)
{
	unsigned long top = t->top;

	t->top = top + sizeof(struct lsmpmon_span);
	barrier();	/* an interrupt from here on pushes above this span */
	if (unlikely(top >= DEEPEST))
		t->mark = ULONG_MAX;	/* none of those open ends as usual */
	return top;
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
	unsigned long top = push_span(t);

	if (likely(top < DEEPEST))
		span_at(t, top)->begin = lsmpmon_clock();
}

NOKPROBE_SYMBOL(lsmpmon_enter);

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

static noinline __kprobes void
write_unusual(struct lsmpmon_cell *cell, int rc, u64 ticks,
	      enum lsmpmon_disturbance disturbance)
{
	if (lsmpmon_denies(rc))
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

static __always_inline void
write_record(struct lsmpmon_cell *cell, int rc, u64 ticks,
	     enum lsmpmon_disturbance disturbance)
{
	if (likely(rc >= 0 && disturbance == LSMPMON_QUIET))
		count_quiet(cell, ticks);
	else
		write_unusual(cell, rc, ticks, disturbance);
}

/* Features.  The call's span is closed: one that is open has the call inside. */
static __always_inline void write_call(u64 ticks)
{
	lsmpmon_calls_add(ticks, !current->lsmpmon.top);
}

static __always_inline void write_bucket(struct lsmpmon_cpu *c,
					 unsigned long offset, u64 ticks)
{
	const size_t row = sizeof(*c->histogram) / LSMPMON_OFFSET(1);

	BUILD_BUG_ON(sizeof(*c->histogram) % LSMPMON_OFFSET(1));
	((u64 *)((void *)c->histogram + offset * row))[lsmpmon_bucket(ticks)]++;
}

static __always_inline void write_pair(struct lsmpmon_cpu *c,
				       unsigned long offset, u64 ticks,
				       bool switched)
{
	unsigned int operation = lsmpmon_operation(&c->fallbacks);

	lsmpmon_pair_count(c, LSMPMON_PAIR(offset, operation), ticks, switched);
}

/* Without a function call; false: what takes one, write_pair(), is left. */
static __always_inline bool
write_extras(struct lsmpmon_cpu *c, unsigned long offset, u64 ticks)
{
	if (static_branch_unlikely(&lsmpmon_histogram_on))
		write_bucket(c, offset, ticks);
	if (static_branch_unlikely(&lsmpmon_calls_on))
		write_call(ticks);
	if (static_branch_unlikely(&lsmpmon_syscall_on))
		return lsmpmon_pair_count_plain(c, offset, ticks);
	return true;
}

static noinline __kprobes void
write_extras_switched(struct lsmpmon_cpu *c, unsigned long offset)
{
	if (static_branch_unlikely(&lsmpmon_calls_on))
		write_call(0);
	if (static_branch_unlikely(&lsmpmon_syscall_on))
		write_pair(c, offset, 0, true);
}

static __always_inline void
write_hook(struct lsmpmon_cpu *c, unsigned long offset, int rc, u64 ticks,
	   enum lsmpmon_disturbance disturbance)
{
	write_record(cell_at(c, offset), rc, ticks, disturbance);
	if (unlikely(lsmpmon_denies(rc)))
		lsmpmon_denial_count(c, offset / LSMPMON_OFFSET(1), rc,
				     disturbance == LSMPMON_SWITCHED);
	if (unlikely(disturbance == LSMPMON_SWITCHED))
		write_extras_switched(c, offset);
	else if (static_branch_unlikely(&lsmpmon_extras) &&
		 !write_extras(c, offset, ticks))
		write_pair(c, offset, ticks, false);
}

/* Whatever is not an undisturbed call that allows. */
static noinline __kprobes int
record_slowly(unsigned long offset, int rc, u64 ticks,
	      enum lsmpmon_disturbance disturbance)
{
	struct lsmpmon_cpu *c;
	unsigned long flags;

	c = lsmpmon_write_lock(&flags);
	if (!c)
		return rc;
	write_hook(c, offset, rc, ticks, disturbance);
	lsmpmon_write_unlock(c, flags);
	return rc;
}

/* The rest of lsmpmon_exit() where a system call is not told soon. */
static noinline __kprobes int finish_pair(struct lsmpmon_cpu *c,
					  unsigned long offset, u64 ticks,
					  unsigned long flags)
{
	write_pair(c, offset, ticks, false);
	lsmpmon_write_unlock(c, flags);
	return 0;
}

static noinline __kprobes enum lsmpmon_disturbance
what_disturbed(struct lsmpmon_task *t, unsigned long top)
{
	enum lsmpmon_disturbance disturbance = LSMPMON_INTERRUPTED;

	if (unlikely(top < t->switch_mark))
		disturbance = LSMPMON_SWITCHED;
	t->mark = top;
	t->switch_mark = min(t->switch_mark, top);
	return disturbance;
}

static __always_inline enum lsmpmon_disturbance
disturbance_of(struct lsmpmon_task *t, unsigned long top)
{
	/* No span is switched out that is not marked as disturbed, too. */
	return likely(top >= t->mark) ? LSMPMON_QUIET : what_disturbed(t, top);
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

	raw_local_irq_save(flags);
	c = this_cpu_ptr(&lsmpmon_cpu);
	/* Races: control.c pauses with a grace period, @busy is this CPU's. */
	if (unlikely(data_race(rc | c->busy | lsmpmon_paused))) {
		raw_local_irq_restore(flags);
		return record_slowly(offset, rc, ticks, LSMPMON_QUIET);
	}
	smp_rmb();	/* lsmpmon_paused before the counters, for resets */
	lsmpmon_write_begin(c);
	count_quiet(cell_at(c, offset), ticks);
	if (static_branch_unlikely(&lsmpmon_extras) &&
	    unlikely(!write_extras(c, offset, ticks)))
		return finish_pair(c, offset, ticks, flags);
	lsmpmon_write_end(c);
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
 * The detailed path: callbacks have spans of their own above the hook's.  Those
 * stay there when they are over, until the hook call is, so that all are
 * recorded in one go or not at all.
 */

/* In struct lsmpmon_span, of a hook: callbacks in this call are measured. */
#define SPAN_MODULES	BIT(0)
/* This call is one that the filter selects. */
#define SPAN_SELECTED	BIT(1)
/* This is the span of a callback: LSMPMON_CALLBACK() is in what follows. */
#define SPAN_CALLBACK	BIT(2)
/* It was one and is over: what disturbed it is in what follows, too. */
#define SPAN_OVER	BIT(3)
#define SPAN_DISTURBANCE	GENMASK(5, 4)
#define SPAN_OFFSET	(~(unsigned int)(LSMPMON_OFFSET(1) - 1))

static __always_inline struct lsmpmon_span *last_span(struct lsmpmon_task *t)
{
	return span_at(t, (t->top - sizeof(struct lsmpmon_span)) % DEEPEST);
}

/* The hook call that ends next: below the callbacks that it has behind it. */
static __always_inline unsigned long last_hook(struct lsmpmon_task *t)
{
	unsigned long top = t->top;

	do
		top -= sizeof(struct lsmpmon_span);
	while (top < DEEPEST && span_at(t, top)->flags & SPAN_OVER);
	return top;
}

static __always_inline void open_span(struct lsmpmon_task *t,
				      unsigned int flags)
{
	unsigned long top = push_span(t);
	struct lsmpmon_span *span = span_at(t, top);

	if (unlikely(top >= DEEPEST))
		return;
	span->rc = 0;
	span->flags = flags;
	span->begin = lsmpmon_clock();
}

static noinline __kprobes void enter_traced(enum lsmpmon_hook hook,
					    unsigned int flags)
{
	lsmpmon_trace_enter(hook);
	open_span(&current->lsmpmon, flags);
}

/**
 * lsmpmon_enter_detailed - a hook call begins, on the detailed path
 * @hook: which
 * @selected: it is to be measured, and not only to be traced
 *
 * Every call is followed by one of lsmpmon_exit_detailed() in the same context.
 *
 * Context: any.
 */
void lsmpmon_enter_detailed(enum lsmpmon_hook hook, bool selected)
{
	unsigned int flags = selected * SPAN_SELECTED;

	if (static_branch_unlikely(&lsmpmon_module_on))
		flags = selected * (SPAN_SELECTED | SPAN_MODULES);
	if (static_branch_unlikely(&lsmpmon_traced))
		return enter_traced(hook, flags);
	open_span(&current->lsmpmon, flags);
}

NOKPROBE_SYMBOL(lsmpmon_enter_detailed);

/*
 * The callbacks from @at on, of a hook call that ends.  If that was switched
 * out its time is in no sum, so that of its callbacks must not be, either.
 */
static void write_callbacks(struct lsmpmon_cpu *c, struct lsmpmon_task *t,
			    unsigned long at, bool switched)
{
	for (; at < t->top; at += sizeof(struct lsmpmon_span)) {
		const struct lsmpmon_span *span = span_at(t, at);

		write_record((void *)c->callback + (span->flags & SPAN_OFFSET),
			     span->rc, span->begin, switched ? LSMPMON_SWITCHED :
			     FIELD_GET(SPAN_DISTURBANCE, span->flags));
	}
}

/* Forget all from @top on, and what disturbed it. */
static void pop_spans(struct lsmpmon_task *t, unsigned long top)
{
	barrier();	/* an interrupt from here on may use these spans again */
	t->top = top;
	barrier();	/* and from here on does not disturb them any more */
	if (unlikely(t->mark > top))
		what_disturbed(t, top);
}

/* Whatever is not an undisturbed call that allows and is to be measured. */
static noinline __kprobes int exit_detailed_slowly(unsigned long offset, int rc,
						   u64 now)
{
	struct lsmpmon_task *t = &current->lsmpmon;
	const unsigned long top = last_hook(t);
	const struct lsmpmon_span *span = span_at(t, top % DEEPEST);
	const u64 ticks = now - span->begin;
	const enum lsmpmon_disturbance disturbance = disturbance_of(t, top);
	const bool switched = disturbance == LSMPMON_SWITCHED;
	struct lsmpmon_cpu *c;
	unsigned long flags;

	if (unlikely(top >= DEEPEST)) {
		pop_spans(t, top);
		lose();
		return rc;
	}
	c = span->flags & SPAN_SELECTED ? lsmpmon_write_lock(&flags) : NULL;
	if (c)
		write_callbacks(c, t, top + sizeof(*span), switched);
	pop_spans(t, top);
	if (c) {
		write_hook(c, offset, rc, ticks, disturbance);
		lsmpmon_write_unlock(c, flags);
	}
	if (static_branch_unlikely(&lsmpmon_traced))
		lsmpmon_trace_exit(offset / LSMPMON_OFFSET(1), rc, ticks,
				   disturbance);
	return rc;
}

/* That its callbacks allow and were not disturbed follows from its own ways. */
static __always_inline void count_callbacks(struct lsmpmon_cpu *c,
					    struct lsmpmon_task *t,
					    unsigned long at)
{
	for (; at < t->top; at += sizeof(struct lsmpmon_span)) {
		const struct lsmpmon_span *span = span_at(t, at);

		count_quiet((void *)c->callback + span->flags - SPAN_OVER,
			    span->begin);
	}
}

/**
 * lsmpmon_exit_detailed - a hook call ends, on the detailed path
 * @offset: which hook, as LSMPMON_OFFSET()
 * @rc: what it returned; 0 for void hooks
 *
 * Context: any.
 * Return: @rc.
 */
int lsmpmon_exit_detailed(unsigned long offset, int rc)
{
	u64 now = lsmpmon_clock();
	struct lsmpmon_task *t = &current->lsmpmon;
	const unsigned long top = last_hook(t);
	struct lsmpmon_cpu *c;
	unsigned long flags;
	u64 ticks;

	if (static_branch_unlikely(&lsmpmon_traced))
		return exit_detailed_slowly(offset, rc, now);
	ticks = now - span_at(t, top % DEEPEST)->begin;
	raw_local_irq_save(flags);
	c = this_cpu_ptr(&lsmpmon_cpu);
	/* Races: as in lsmpmon_exit().  What is too deep is disturbed, too. */
	if (unlikely(data_race(rc | c->busy | lsmpmon_paused) || top < t->mark ||
		     !(span_at(t, top)->flags & SPAN_SELECTED))) {
		raw_local_irq_restore(flags);
		return exit_detailed_slowly(offset, rc, now);
	}
	smp_rmb();	/* lsmpmon_paused before the counters, for resets */
	lsmpmon_write_begin(c);
	count_quiet(cell_at(c, offset), ticks);
	count_callbacks(c, t, top + sizeof(struct lsmpmon_span));
	barrier();	/* an NMI from here on may use these spans again */
	t->top = top;
	if (static_branch_unlikely(&lsmpmon_extras) &&
	    unlikely(!write_extras(c, offset, ticks)))
		return finish_pair(c, offset, ticks, flags);
	lsmpmon_write_end(c);
	raw_local_irq_restore(flags);
	return 0;
}

NOKPROBE_SYMBOL(lsmpmon_exit_detailed);

/**
 * lsmpmon_exit_detailed_default - the same, of a hook whose default is not zero
 * @offset: which hook, as LSMPMON_OFFSET()
 * @rc: what it returned
 * @no_opinion: the hook's default, which denies nothing
 *
 * Context: any.
 * Return: @rc.
 */
int lsmpmon_exit_detailed_default(unsigned long offset, int rc, int no_opinion)
{
	lsmpmon_exit_detailed(offset, rc == no_opinion ? 0 : rc);
	return rc;
}

NOKPROBE_SYMBOL(lsmpmon_exit_detailed_default);

/**
 * lsmpmon_callback_enter - in a hook call a callback begins
 * @offset: which, as LSMPMON_CALLBACK()
 *
 * Every call is followed by one of lsmpmon_callback_exit() in the same context.
 *
 * Context: any, between lsmpmon_enter_detailed() and lsmpmon_exit_detailed().
 */
void lsmpmon_callback_enter(unsigned int offset)
{
	struct lsmpmon_task *t = &current->lsmpmon;

	if (t->top > DEEPEST ||
	    !(last_span(t)->flags & (SPAN_MODULES | SPAN_OVER)))
		return;
	if (likely(t->top < DEEPEST))
		open_span(t, offset + SPAN_CALLBACK);
	else
		lose();
}

NOKPROBE_SYMBOL(lsmpmon_callback_enter);

/**
 * lsmpmon_callback_exit - in a hook call a callback ends
 * @rc: what it returned; 0 for void hooks
 *
 * Context: as lsmpmon_callback_enter().
 * Return: @rc.
 */
int lsmpmon_callback_exit(int rc)
{
	u64 now = lsmpmon_clock();
	struct lsmpmon_task *t = &current->lsmpmon;
	struct lsmpmon_span *span = last_span(t);
	enum lsmpmon_disturbance disturbance;

	/* If the callback has no span, the last one is another's. */
	if (t->top > DEEPEST || !(span->flags & SPAN_CALLBACK))
		return rc;
	span->begin = now - span->begin;
	span->rc = rc;
	disturbance = disturbance_of(t, t->top - sizeof(*span));
	span->flags += SPAN_OVER - SPAN_CALLBACK +
		       FIELD_PREP(SPAN_DISTURBANCE, disturbance);
	return rc;
}

NOKPROBE_SYMBOL(lsmpmon_callback_exit);

/**
 * lsmpmon_callback_exit_default - the same, of a hook whose default is not zero
 * @rc: what it returned
 * @no_opinion: the hook's default, which denies nothing
 *
 * Context: as lsmpmon_callback_enter().
 * Return: @rc.
 */
int lsmpmon_callback_exit_default(int rc, int no_opinion)
{
	lsmpmon_callback_exit(rc == no_opinion ? 0 : rc);
	return rc;
}

NOKPROBE_SYMBOL(lsmpmon_callback_exit_default);

/*
 * Open-coded loops: the verdict is that of the callback called last, which
 * the end of the loop does not know, since a loop may be left anywhere.
 */

/**
 * lsmpmon_loop_enter - an open-coded loop over a hook's callbacks begins
 *
 * Context: any.
 */
void lsmpmon_loop_enter(void)
{
	open_span(&current->lsmpmon, 0);
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
	struct lsmpmon_task *t = &current->lsmpmon;
	const unsigned long top = last_hook(t);

	if (likely(top < DEEPEST))
		span_at(t, top)->rc = rc;
}

NOKPROBE_SYMBOL(lsmpmon_loop_note);

static int loop_verdict(struct lsmpmon_task *t)
{
	const unsigned long top = last_hook(t);

	return likely(top < DEEPEST) ? span_at(t, top)->rc : 0;
}

/**
 * lsmpmon_loop_exit - an open-coded loop over a hook's callbacks is left
 * @offset: which hook, as LSMPMON_OFFSET()
 *
 * Context: any.
 */
void lsmpmon_loop_exit(unsigned long offset)
{
	lsmpmon_exit(offset, loop_verdict(&current->lsmpmon));
}

NOKPROBE_SYMBOL(lsmpmon_loop_exit);

/**
 * lsmpmon_loop_exit_detailed - an open-coded loop is left, on the detailed path
 * @hook: whose callbacks it called
 *
 * Context: any.
 */
void lsmpmon_loop_exit_detailed(enum lsmpmon_hook hook)
{
	u64 now = lsmpmon_clock();

	/* Here a callback may deny and the next one allow. */
	exit_detailed_slowly(LSMPMON_OFFSET(hook),
			     loop_verdict(&current->lsmpmon), now);
}

NOKPROBE_SYMBOL(lsmpmon_loop_exit_detailed);
