// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: from two clock reads to a record
 *
 * This is the hot path: lsmpmon_enter() and lsmpmon_exit() run around every
 * hook call while somebody watches.  Rules:
 *
 * - The clock is the last thing read on entry and the first on exit, so that
 *   a span holds as little of the monitor as can be.
 * - No lock, nothing is allocated, nothing divided.  No shared cache line is
 *   written, except once for each pair of a hook and a system call: place.c.
 *   Safe in task, softirq, hardirq and NMI context, and when the task is
 *   preempted or migrated inside the span.
 * - A call is counted when it ends, in one record: whole or not at all.
 * - What is rare is in functions of its own, called last, so that the usual
 *   call saves no register for it.
 */

#include <linux/bitfield.h>
#include <linux/kprobes.h>
#include <linux/sched.h>

#include "calls.h"
#include "clock.h"
#include "denial.h"
#include "feature.h"
#include "inject.h"
#include "span.h"
#include "syscall.h"
#include "trace.h"

DEFINE_STATIC_KEY_FALSE(lsmpmon_watched);
DEFINE_STATIC_KEY_FALSE(lsmpmon_detailed);
DEFINE_STATIC_KEY_FALSE(lsmpmon_traced);
DEFINE_STATIC_KEY_FALSE(lsmpmon_marking);
unsigned int lsmpmon_paused __read_mostly = true;

#ifdef CONFIG_SECURITY_LSMPMON_KUNIT_TEST
int (*lsmpmon_injected[LSMPMON_MOMENTS])(void);
#endif

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
	unsigned long top = READ_ONCE(t->top);

	WRITE_ONCE(t->top, top + sizeof(struct lsmpmon_span));
	barrier();	/* an interrupt from here on pushes above this span */
	if (unlikely(top >= DEEPEST))
		WRITE_ONCE(t->mark, ULONG_MAX);	/* none of those open ends as usual */
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

static __always_inline void write_bucket(unsigned long offset, u64 ticks)
{
	u64 (*histogram)[LSMPMON_BUCKETS] = raw_cpu_read(lsmpmon_cpu.histogram);
	const size_t row = sizeof(*histogram) / LSMPMON_OFFSET(1);

	BUILD_BUG_ON(sizeof(*histogram) % LSMPMON_OFFSET(1));
	((u64 *)((void *)histogram + offset * row))[lsmpmon_bucket(ticks)]++;
}

static __always_inline void write_extras(unsigned long offset, u64 ticks)
{
	if (static_branch_unlikely(&lsmpmon_histogram_on))
		write_bucket(offset, ticks);
	if (static_branch_unlikely(&lsmpmon_calls_on))
		write_call(ticks);
}

static noinline __kprobes void
write_features(struct lsmpmon_cpu *c, unsigned long offset, u64 ticks,
	       bool switched)
{
	if (static_branch_unlikely(&lsmpmon_syscall_on) &&
	    (switched || !lsmpmon_pair_count_plain(offset, ticks)))
		lsmpmon_pair_count(c, offset, ticks, switched);
	if (!switched)
		write_extras(offset, ticks);
	else if (static_branch_unlikely(&lsmpmon_calls_on))
		write_call(0);
}

static __always_inline void
write_hook(struct lsmpmon_cpu *c, unsigned long offset, int rc, u64 ticks,
	   enum lsmpmon_disturbance disturbance)
{
	const bool switched = disturbance == LSMPMON_SWITCHED;

	write_record(cell_at(c, offset), rc, ticks, disturbance);
	if (unlikely(lsmpmon_denies(rc)))
		lsmpmon_denial_count(c, offset / LSMPMON_OFFSET(1), rc,
				     switched);
	write_features(c, offset, ticks, switched);
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

/* One register: the compiler would keep the CPU's offset in another. */
static __always_inline struct lsmpmon_cpu *this_cpu(void)
{
	struct lsmpmon_cpu *c = this_cpu_ptr(&lsmpmon_cpu);

	OPTIMIZER_HIDE_VAR(c);
	return c;
}

/* As lsmpmon_write_begin() and _end(), with no register for the counters. */
static __always_inline void begin_here(void)
{
	raw_cpu_write(lsmpmon_cpu.busy, 1);
	smp_wmb();	/* @busy before the counters, for readers */
}

static __always_inline void end_here(unsigned long flags)
{
	smp_wmb();	/* the counters before @busy, for readers */
	raw_cpu_write(lsmpmon_cpu.busy, 0);
	raw_local_irq_restore(flags);
}

/* The rest of finish() where a system call is not told soon. */
static noinline __kprobes int finish_slowly(unsigned long offset, int rc,
					    u64 ticks, unsigned long flags)
{
	lsmpmon_pair_count(this_cpu_ptr(&lsmpmon_cpu), offset, ticks, false);
	if (static_branch_unlikely(&lsmpmon_extras))
		write_extras(offset, ticks);
	end_here(flags);
	return rc;
}

/* The features of an undisturbed call that allows, and the end of a record. */
static __always_inline int finish(unsigned long offset, int rc, u64 ticks,
				  unsigned long flags)
{
	if (static_branch_unlikely(&lsmpmon_syscall_on) &&
	    unlikely(!lsmpmon_pair_count_plain(offset, ticks)))
		return finish_slowly(offset, rc, ticks, flags);
	if (static_branch_unlikely(&lsmpmon_extras))
		write_extras(offset, ticks);
	end_here(flags);
	return rc;
}

static noinline __kprobes enum lsmpmon_disturbance
what_disturbed(struct lsmpmon_task *t, unsigned long top)
{
	enum lsmpmon_disturbance disturbance = LSMPMON_INTERRUPTED;

	if (unlikely(top < READ_ONCE(t->switch_mark)))
		disturbance = LSMPMON_SWITCHED;
	WRITE_ONCE(t->mark, top);
	/* Not min(): a switch between its load and its store would be forgotten. */
	if (READ_ONCE(t->switch_mark) > top)
		WRITE_ONCE(t->switch_mark, top);
	return disturbance;
}

static __always_inline enum lsmpmon_disturbance
disturbance_of(struct lsmpmon_task *t, unsigned long top)
{
	/* No span is switched out that is not marked as disturbed, too. */
	return likely(top >= READ_ONCE(t->mark)) ? LSMPMON_QUIET : what_disturbed(t, top);
}

/*
 * Forget all from @top on, and what disturbed it: it was asked before, since
 * an interrupt that strikes when they are gone says nothing of them.
 */
static void pop_spans(struct lsmpmon_task *t, unsigned long top)
{
	barrier();	/* an interrupt from here on may use these spans again */
	WRITE_ONCE(t->top, top);
	barrier();	/* and from here on does not disturb them any more */
	if (unlikely(READ_ONCE(t->mark) > top))
		what_disturbed(t, top);
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

/* Whatever is not an undisturbed call that allows. */
static noinline __kprobes int exit_slowly(unsigned long offset, int rc, u64 now)
{
	struct lsmpmon_task *t = &current->lsmpmon;
	const unsigned long top = READ_ONCE(t->top) - sizeof(struct lsmpmon_span);
	const u64 ticks = now - span_at(t, top % DEEPEST)->begin;
	const enum lsmpmon_disturbance disturbance = disturbance_of(t, top);

	lsmpmon_inject(LSMPMON_CLASSIFYING);
	pop_spans(t, top);
	if (likely(top < DEEPEST))
		return record_slowly(offset, rc, ticks, disturbance);
	lose();
	return rc;
}

/* The same of the usual calls, in which nothing but an NMI can strike. */
static __always_inline void pop_quietly(struct lsmpmon_task *t,
					unsigned long top, bool struck)
{
	if (struck)
		lsmpmon_interrupt();
	barrier();	/* an NMI from here on may use these spans again */
	WRITE_ONCE(t->top, top);
	barrier();	/* and from here on does not disturb them any more */
	if (unlikely(READ_ONCE(t->mark) > top))
		WRITE_ONCE(t->mark, top);
}

/* Constant @struck: as if an NMI came when all seems quiet, for tests. */
static __always_inline int exit_span(unsigned long offset, int rc, bool struck)
{
	u64 now = lsmpmon_clock();
	struct lsmpmon_task *t = &current->lsmpmon;
	unsigned long flags, top;
	u64 ticks;

	raw_local_irq_save(flags);
	top = READ_ONCE(t->top) - sizeof(struct lsmpmon_span);
	/*
	 * Races: control.c pauses with a grace period, @busy is this CPU's.
	 * What is too deep is disturbed, too.
	 */
	if (unlikely(data_race(rc | raw_cpu_read(lsmpmon_cpu.busy) |
			       lsmpmon_paused) ||
		     top < READ_ONCE(t->mark))) {
		raw_local_irq_restore(flags);
		return exit_slowly(offset, rc, now);
	}
	smp_rmb();	/* lsmpmon_paused before the counters, for resets */
	begin_here();
	ticks = now - span_at(t, top)->begin;
	count_quiet(cell_at(raw_cpu_ptr(&lsmpmon_cpu), offset), ticks);
	pop_quietly(t, top, struck);
	return finish(offset, 0, ticks, flags);
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
	return exit_span(offset, rc, false);
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
 * recorded in one go or not at all.  Whether they are recorded is asked then.
 */

/* In struct lsmpmon_span, of a hook: this call is one that the filter selects. */
#define SPAN_SELECTED	BIT(0)
/* Of a callback that is over: what disturbed it. */
#define SPAN_DISTURBANCE	GENMASK(1, 0)

/* The end of a loop does not know what its beginning decided: all is here. */
static __always_inline void open_hook(struct lsmpmon_task *t, bool selected)
{
	unsigned long top = push_span(t);
	struct lsmpmon_span *span = span_at(t, top);

	BUILD_BUG_ON(sizeof(*span) <= SPAN_SELECTED);
	if (unlikely(top >= DEEPEST))
		return;
	span->flags = READ_ONCE(t->hook) + selected * SPAN_SELECTED;
	WRITE_ONCE(t->hook, top);
	span->begin = lsmpmon_clock();
}

static noinline __kprobes void enter_traced(enum lsmpmon_hook hook,
					    bool selected)
{
	lsmpmon_trace_enter(hook);
	open_hook(&current->lsmpmon, selected);
}

/**
 * lsmpmon_enter_detailed - a hook call begins, on the detailed path
 * @hook: which
 * @selected: it is to be measured, and not only to be traced.  A bool, since
 *	for an int that is zero the compiler would keep some zero that the
 *	caller has, in a register that costs the unmeasured path, too
 *
 * Every call is followed by one of lsmpmon_exit_detailed() in the same context.
 *
 * Context: any.
 */
void lsmpmon_enter_detailed(enum lsmpmon_hook hook, bool selected)
{
	if (static_branch_unlikely(&lsmpmon_traced))
		return enter_traced(hook, selected);
	open_hook(&current->lsmpmon, selected);
}

NOKPROBE_SYMBOL(lsmpmon_enter_detailed);

/*
 * The callbacks from @at on, of a hook call that ends.  If that was switched
 * out its time is in no sum, so that of its callbacks must not be, either.
 */
static void write_callbacks(struct lsmpmon_cpu *c, struct lsmpmon_task *t,
			    unsigned long at, bool switched)
{
	for (; at < READ_ONCE(t->top); at += sizeof(struct lsmpmon_span)) {
		const struct lsmpmon_span *span = span_at(t, at);

		write_record((void *)c->callback +
			     (span->flags & ~SPAN_DISTURBANCE),
			     span->rc, span->begin, switched ? LSMPMON_SWITCHED :
			     FIELD_GET(SPAN_DISTURBANCE, span->flags));
	}
}

/* The last span is one that there was no room for. */
static __always_inline bool is_too_deep(const struct lsmpmon_task *t)
{
	return unlikely(READ_ONCE(t->top) > DEEPEST);
}

/* The hook call that has the last span of one ends. */
static __always_inline void leave_hook(struct lsmpmon_task *t,
				       const struct lsmpmon_span *span)
{
	WRITE_ONCE(t->hook, span->flags & ~SPAN_SELECTED);
}

/* Whatever is not an undisturbed call that allows and is to be measured. */
static noinline __kprobes int exit_detailed_slowly(unsigned long offset, int rc,
						   u64 now)
{
	struct lsmpmon_task *t = &current->lsmpmon;
	const unsigned long top = READ_ONCE(t->hook);
	const struct lsmpmon_span *span = span_at(t, top);
	const u64 ticks = now - span->begin;
	enum lsmpmon_disturbance disturbance;
	struct lsmpmon_cpu *c = NULL;
	unsigned long flags;

	if (is_too_deep(t)) {
		pop_spans(t, READ_ONCE(t->top) - sizeof(*span));
		lose();
		return rc;
	}
	disturbance = disturbance_of(t, top);
	if (span->flags & SPAN_SELECTED)
		c = lsmpmon_write_lock(&flags);
	if (c && static_branch_unlikely(&lsmpmon_module_on))
		write_callbacks(c, t, top + sizeof(*span),
				disturbance == LSMPMON_SWITCHED);
	leave_hook(t, span);
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
	for (; at < READ_ONCE(t->top); at += sizeof(struct lsmpmon_span)) {
		const struct lsmpmon_span *span = span_at(t, at);

		count_quiet((void *)c->callback + span->flags, span->begin);
	}
}

/* As exit_span(). */
static __always_inline int exit_detailed(unsigned long offset, int rc,
					 bool struck)
{
	u64 now = lsmpmon_clock();
	struct lsmpmon_task *t = &current->lsmpmon;
	struct lsmpmon_cpu *c;
	unsigned long flags, top;
	u64 ticks;

	if (static_branch_unlikely(&lsmpmon_traced))
		return exit_detailed_slowly(offset, rc, now);
	raw_local_irq_save(flags);
	c = this_cpu();
	top = READ_ONCE(t->hook);
	/* Races: as in exit_span(). */
	if (unlikely(data_race(rc | c->busy | lsmpmon_paused) ||
		     top < READ_ONCE(t->mark) ||
		     !(span_at(t, top)->flags & SPAN_SELECTED))) {
		raw_local_irq_restore(flags);
		return exit_detailed_slowly(offset, rc, now);
	}
	smp_rmb();	/* lsmpmon_paused before the counters, for resets */
	lsmpmon_write_begin(c);
	ticks = now - span_at(t, top)->begin;
	leave_hook(t, span_at(t, top));
	count_quiet(cell_at(c, offset), ticks);
	if (static_branch_likely(&lsmpmon_module_on))
		count_callbacks(c, t, top + sizeof(struct lsmpmon_span));
	pop_quietly(t, top, struck);
	if (static_branch_unlikely(&lsmpmon_syscall_on) ||
	    static_branch_unlikely(&lsmpmon_extras))
		write_features(c, offset, ticks, false);
	lsmpmon_write_unlock(c, flags);
	return 0;
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
	return exit_detailed(offset, rc, false);
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
	unsigned long top = push_span(t);
	struct lsmpmon_span *span = span_at(t, top);

	if (unlikely(top >= DEEPEST))
		return;
	span->flags = offset;
	span->begin = lsmpmon_clock();
}

NOKPROBE_SYMBOL(lsmpmon_callback_enter);

static __always_inline void close_callback(struct lsmpmon_span *span, int rc,
					   u64 now)
{
	span->begin = now - span->begin;
	span->rc = rc;
}

static noinline __kprobes int callback_exit_disturbed(int rc, u64 now)
{
	struct lsmpmon_task *t = &current->lsmpmon;
	const unsigned long top = READ_ONCE(t->top) - sizeof(struct lsmpmon_span);
	struct lsmpmon_span *span = span_at(t, top);

	if (is_too_deep(t)) {
		pop_spans(t, top);
		if (static_branch_unlikely(&lsmpmon_module_on))
			lose();
		return rc;
	}
	close_callback(span, rc, now);
	span->flags |= FIELD_PREP(SPAN_DISTURBANCE, disturbance_of(t, top));
	return rc;
}

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
	const unsigned long top = READ_ONCE(t->top);

	/* The last span is below the mark; so it takes no subtraction. */
	if (unlikely(top <= READ_ONCE(t->mark)))
		return callback_exit_disturbed(rc, now);
	close_callback(span_at(t, top - sizeof(struct lsmpmon_span)), rc, now);
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
	open_hook(&current->lsmpmon, true);
	lsmpmon_loop_note(0);
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

	if (!is_too_deep(t))
		span_at(t, READ_ONCE(t->hook))->rc = rc;
}

NOKPROBE_SYMBOL(lsmpmon_loop_note);

static int loop_verdict(const struct lsmpmon_task *t)
{
	return is_too_deep(t) ? 0 : t->span[READ_ONCE(t->hook) / sizeof(*t->span)].rc;
}

/**
 * lsmpmon_loop_exit - an open-coded loop over a hook's callbacks is left
 * @offset: which hook, as LSMPMON_OFFSET()
 *
 * Context: any.
 */
void lsmpmon_loop_exit(unsigned long offset)
{
	struct lsmpmon_task *t = &current->lsmpmon;
	const int rc = loop_verdict(t);

	if (!is_too_deep(t))
		leave_hook(t, span_at(t, READ_ONCE(t->hook)));
	lsmpmon_exit(offset, rc);
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

#ifdef CONFIG_SECURITY_LSMPMON_KUNIT_TEST

/**
 * lsmpmon_exit_struck - lsmpmon_exit() with an NMI after it looked for such
 * @offset: as there
 *
 * Context: as there; for tests.
 */
void lsmpmon_exit_struck(unsigned long offset)
{
	exit_span(offset, 0, true);
}

/**
 * lsmpmon_exit_detailed_struck - the same of lsmpmon_exit_detailed()
 * @offset: as there
 *
 * Context: as there; for tests.
 */
void lsmpmon_exit_detailed_struck(unsigned long offset)
{
	exit_detailed(offset, 0, true);
}

#endif
