// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of context switches
 * and interrupts inside spans, and of spans inside interrupts
 */

#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hardirq.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "../disturbance.h"
#include "../write.h"
#include "self.h"
#include "sleep.h"
#include "strike.h"

/* All of @calls slept as is known, and nothing of their times is missing. */
static noinline_for_stack void
expect_slept(struct kunit *test, const struct lsmpmon_cell *before,
	     const struct lsmpmon_cell *after, unsigned int calls,
	     const struct known_sleep *s)
{
	const struct lsmpmon_times *old = &before->times, *new = &after->times;
	const u64 wall = new->cs_sum - old->cs_sum;
	const u64 own = new->cs_own - old->cs_own;
	const u64 slept = new->slept - old->slept;
	const u64 preempted = new->preempted - old->preempted;

	KUNIT_EXPECT_EQ(test, new->unknown, old->unknown);
	KUNIT_EXPECT_GE(test, slept, calls * s->ticks);
	KUNIT_EXPECT_GE(test, new->cs_max, slept / calls);
	KUNIT_EXPECT_GT(test, own, 0);
	KUNIT_EXPECT_LE(test, own + slept + preempted, wall);
}

static void sleep_is_a_switch(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct lsmpmon_cell after;
	struct known_sleep s;
	LSMPMON_FRAME(frame);

	prepare_sleep(test, &s);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	sleep_as_known(&s);
	lsmpmon_end(SELF, 0);
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.cs_count, before.cs_count + 1);
	KUNIT_EXPECT_EQ(test, after.count, before.count);
	KUNIT_EXPECT_EQ(test, after.sum, before.sum);
	KUNIT_EXPECT_EQ(test, lsmpmon_cell_max(&after),
			lsmpmon_cell_max(&before));
	expect_slept(test, &before, &after, 1, &s);
}

/* Two spans that sleep, each followed by one that does not. */
static noinline_for_stack void sleep_in_two_spans(struct known_sleep *s)
{
	LSMPMON_FRAME(outer);
	LSMPMON_FRAME(inner);

	lsmpmon_begin(&outer, LSMPMON_HOOK_SELF);
	lsmpmon_begin(&inner, LSMPMON_HOOK_SELF);
	sleep_as_known(s);
	preempt_disable();
	lsmpmon_end(SELF, 0);
	empty_span();
	lsmpmon_end(SELF, 0);
	empty_span();
	preempt_enable();
}

/* A context switch disturbs all spans that are open, and none that begin later. */
static void switch_disturbs_what_is_open(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct lsmpmon_cell after;
	struct known_sleep s;

	prepare_sleep(test, &s);
	sleep_in_two_spans(&s);
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.cs_count, before.cs_count + 2);
	KUNIT_EXPECT_EQ(test, after.count, before.count + 2);
	expect_slept(test, &before, &after, 2, &s);
}

static void migration_is_a_switch(struct kunit *test)
{
	const u64 before = self_cell(LSMPMON_ALLOW).cs_count;
	unsigned int here, there;
	LSMPMON_FRAME(frame);

	if (num_online_cpus() < 2)
		kunit_skip(test, "one CPU");
	here = cpumask_first(cpu_online_mask);
	there = cpumask_next(here, cpu_online_mask);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(here)),
			0);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(there)),
			0);
	lsmpmon_end(SELF, 0);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).cs_count, before + 1);
}

/* One call more has a duration, but no own time. */
static void expect_unknown(struct kunit *test, const struct lsmpmon_cell *before,
			   const struct lsmpmon_cell *after)
{
	const struct lsmpmon_times *old = &before->times, *new = &after->times;

	KUNIT_EXPECT_EQ(test, new->unknown, old->unknown + 1);
	KUNIT_EXPECT_GT(test, new->cs_sum, old->cs_sum);
	KUNIT_EXPECT_EQ(test, new->cs_own, old->cs_own);
	KUNIT_EXPECT_EQ(test, new->slept, old->slept);
	KUNIT_EXPECT_EQ(test, new->preempted, old->preempted);
}

/* A hook call that sleeps until it may end. */
struct sleeper {
	struct completion begun, may_end, ended;
};

static int sleep_in_span(void *data)
{
	struct sleeper *s = data;
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	complete(&s->begun);
	wait_for_completion(&s->may_end);
	preempt_disable();
	lsmpmon_end(SELF, 0);
	preempt_enable();
	complete(&s->ended);
	return 0;
}

/* The call began without probes, and sleeps when they are registered. */
static void sleep_begun_before_the_probes_is_a_switch(struct kunit *test)
{
	struct lsmpmon_cell before, after;
	struct sleeper s;

	init_completion(&s.begun);
	init_completion(&s.may_end);
	init_completion(&s.ended);
	lsmpmon_measure(false);
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(sleep_in_span, &s, "sleeper")));
	wait_for_completion(&s.begun);
	msleep(20);
	lsmpmon_measure(true);
	before = self_cell(LSMPMON_ALLOW);
	complete(&s.may_end);
	wait_for_completion(&s.ended);
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.cs_count, before.cs_count + 1);
	KUNIT_EXPECT_EQ(test, after.count, before.count);
	expect_unknown(test, &before, &after);
}

/* The call began without probes, and runs again when they are registered. */
static void sleep_ended_before_the_probes_is_a_switch(struct kunit *test)
{
	struct lsmpmon_cell before, after;
	LSMPMON_FRAME(frame);

	lsmpmon_measure(false);
	before = self_cell(LSMPMON_ALLOW);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	msleep(20);
	lsmpmon_measure(true);
	lsmpmon_end(SELF, 0);
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.cs_count, before.cs_count + 1);
	KUNIT_EXPECT_EQ(test, after.count, before.count);
	expect_unknown(test, &before, &after);
}

/* An interrupt that calls hooks, as network receive does. */
struct hooks_striker {
	struct striker striker;
	bool in_hardirq;
	int spans;
	unsigned int delay_us;
};

static void call_hooks(struct striker *striker)
{
	struct hooks_striker *s = container_of(striker, struct hooks_striker, striker);
	int i;

	s->in_hardirq = in_hardirq();
	for (i = 0; i < s->spans; i++)
		empty_span();
	spin_us(s->delay_us);
}

/* Wait inside a span for the interrupt of a timer; false if there was none. */
static bool span_is_struck(struct hooks_striker *s, enum hrtimer_mode mode)
{
	LSMPMON_FRAME(frame);
	bool struck;

	s->striker.act = call_hooks;
	migrate_disable();
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	struck = be_struck(&s->striker, mode);
	lsmpmon_end(SELF, 0);
	migrate_enable();
	return struck;
}

static void interrupt_is_counted_apart(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct hooks_striker s = { .spans = 0 };
	struct lsmpmon_cell after;

	KUNIT_ASSERT_TRUE(test, span_is_struck(&s, HRTIMER_MODE_REL_PINNED_HARD));
	KUNIT_EXPECT_TRUE(test, s.in_hardirq);
	after = self_cell(LSMPMON_ALLOW);
	/* Calls that were switched out are in cs_count instead. */
	KUNIT_EXPECT_EQ(test, after.irq_count + after.cs_count,
			before.irq_count + before.cs_count + 1);
	KUNIT_EXPECT_EQ(test, after.quiet_max, before.quiet_max);
}

/* The interrupt takes two milliseconds, which are no own time of the call. */
static void interrupt_is_no_own_time(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct hooks_striker s = { .delay_us = 2000 };
	const struct lsmpmon_times *old = &before.times;
	struct lsmpmon_cell after;
	u64 wall, own, away;

	KUNIT_ASSERT_TRUE(test, span_is_struck(&s, HRTIMER_MODE_REL_PINNED_HARD));
	after = self_cell(LSMPMON_ALLOW);
	own = after.times.cs_own - old->cs_own;
	wall = after.times.cs_sum - old->cs_sum;
	if (after.cs_count == before.cs_count) {
		wall = after.irq_sum - before.irq_sum;
		own = wall - (after.times.irq_time - old->irq_time);
	}
	away = after.times.slept - old->slept + after.times.preempted -
		old->preempted;
	KUNIT_EXPECT_EQ(test, after.times.unknown, old->unknown);
	KUNIT_EXPECT_GT(test, own, 0);
	KUNIT_EXPECT_GE(test, lsmpmon_ticks_to_ns(wall - own - away),
			2 * NSEC_PER_MSEC);
}

/* An interrupt ends whose beginning was not seen, and one more begins and ends. */
static void end_without_beginning_is_unknown(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct lsmpmon_cell after;
	unsigned long flags;
	LSMPMON_FRAME(frame);

	local_irq_save(flags);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_irq_ends();
	lsmpmon_irq_begins();
	lsmpmon_mark_interrupted();
	lsmpmon_irq_ends();
	lsmpmon_end(SELF, 0);
	local_irq_restore(flags);
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.irq_count, before.irq_count + 1);
	KUNIT_EXPECT_EQ(test, after.times.unknown, before.times.unknown + 1);
	KUNIT_EXPECT_EQ(test, after.times.irq_time - before.times.irq_time,
			after.irq_sum - before.irq_sum);
}

/* Return the time that the interrupt inside the interrupt's hook call took. */
static noinline_for_stack u64 nested_interrupts(void)
{
	unsigned long flags;
	LSMPMON_FRAME(outer);
	LSMPMON_FRAME(inner);
	u64 begin, took;

	local_irq_save(flags);
	lsmpmon_begin(&outer, LSMPMON_HOOK_SELF);
	lsmpmon_irq_begins();
	lsmpmon_mark_interrupted();
	lsmpmon_begin(&inner, LSMPMON_HOOK_SELF);
	begin = lsmpmon_clock();
	lsmpmon_irq_begins();
	lsmpmon_mark_interrupted();
	spin_us(200);
	lsmpmon_irq_ends();
	took = lsmpmon_clock() - begin;
	lsmpmon_end(SELF, 0);
	lsmpmon_irq_ends();
	lsmpmon_end(SELF, 0);
	local_irq_restore(flags);
	return took;
}

/* An interrupt in an interrupt, whose hook call it interrupts, is counted once. */
static void interrupts_nest(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct lsmpmon_cell after;
	const u64 took = nested_interrupts();

	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.irq_count, before.irq_count + 2);
	KUNIT_EXPECT_EQ(test, after.times.unknown, before.times.unknown);
	/* Once in each of the two calls, and in neither of them twice. */
	KUNIT_EXPECT_GE(test, lsmpmon_ticks_to_ns(after.times.irq_time -
						  before.times.irq_time),
			400 * NSEC_PER_USEC);
	KUNIT_EXPECT_LT(test, after.times.irq_time - before.times.irq_time,
			after.irq_sum - before.irq_sum);
	KUNIT_EXPECT_LE(test, took, after.irq_sum - before.irq_sum);
}

static void spans_count_in_hardirq(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct hooks_striker s = { .spans = 7 };
	struct lsmpmon_cell after;

	KUNIT_ASSERT_TRUE(test, span_is_struck(&s, HRTIMER_MODE_REL_PINNED_HARD));
	KUNIT_EXPECT_TRUE(test, s.in_hardirq);
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.count + after.cs_count,
			before.count + before.cs_count + 8);
}

static void spans_count_in_softirq(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct hooks_striker s = { .spans = 7 };
	struct lsmpmon_cell after;

	KUNIT_ASSERT_TRUE(test, span_is_struck(&s, HRTIMER_MODE_REL_PINNED_SOFT));
	KUNIT_EXPECT_FALSE(test, s.in_hardirq);
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.count + after.cs_count,
			before.count + before.cs_count + 8);
}

/* Simulate an NMI: its entry code, a hook call, and the probe of its tracepoint. */
static void nmi_with_span(void)
{
	unsigned long flags;
	u64 begin;

	local_irq_save(flags);
	nmi_enter();
	begin = lsmpmon_clock();
	empty_span();
	lsmpmon_irq_lasted(lsmpmon_clock() - begin);
	lsmpmon_mark_interrupted();
	nmi_exit();
	local_irq_restore(flags);
}

static void spans_count_in_nmi(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct lsmpmon_cell after;
	LSMPMON_FRAME(frame);

	preempt_disable();
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	nmi_with_span();
	lsmpmon_end(SELF, 0);
	preempt_enable();
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.count, before.count + 2);
	KUNIT_EXPECT_GE(test, after.irq_count, before.irq_count + 1);
}

static void nmi_that_strikes_a_writer_counts(struct kunit *test)
{
	const u64 before = self_cell(LSMPMON_ALLOW).count;
	const u64 lost = lsmpmon_lost();

	preempt_disable();
	lsmpmon_write_begin();
	nmi_with_span();
	KUNIT_EXPECT_EQ(test, raw_cpu_read(lsmpmon_cpu.busy), 1);
	lsmpmon_write_end();
	empty_span();
	preempt_enable();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, before + 2);
	KUNIT_EXPECT_EQ(test, lsmpmon_lost(), lost);
}

/* A softirq that is interrupted by a hardirq, each with a span. */
struct nest {
	struct tasklet_struct soft;
	struct hrtimer hard;
	bool struck;
	bool in_softirq;
	bool in_hardirq;
};

static enum hrtimer_restart nest_hard(struct hrtimer *timer)
{
	struct nest *n = container_of(timer, struct nest, hard);
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	n->in_hardirq = in_hardirq();
	nmi_with_span();
	lsmpmon_end(SELF, 0);
	WRITE_ONCE(n->struck, true);
	return HRTIMER_NORESTART;
}

static void nest_soft(struct tasklet_struct *tasklet)
{
	struct nest *n = container_of(tasklet, struct nest, soft);
	const u64 deadline = ktime_get_ns() + NSEC_PER_SEC;
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	n->in_softirq = in_serving_softirq();
	hrtimer_start(&n->hard, ms_to_ktime(1), HRTIMER_MODE_REL_PINNED_HARD);
	while (!READ_ONCE(n->struck) && ktime_get_ns() < deadline)
		cpu_relax();
	lsmpmon_end(SELF, 0);
}

/* With PREEMPT_RT, softirqs do not run while preemption is off. */
static void nest_preempt_disable(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		migrate_disable();
	else
		preempt_disable();
}

static void nest_preempt_enable(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		migrate_enable();
	else
		preempt_enable();
}

/* A tasklet runs when the task enables softirqs again. */
static void task_with_softirq(struct nest *n)
{
	LSMPMON_FRAME(frame);

	hrtimer_setup(&n->hard, nest_hard, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	tasklet_setup(&n->soft, nest_soft);
	nest_preempt_disable();
	local_bh_disable();
	tasklet_schedule(&n->soft);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	local_bh_enable();
	lsmpmon_end(SELF, 0);
	nest_preempt_enable();
	tasklet_kill(&n->soft);
	hrtimer_cancel(&n->hard);
}

/*
 * Task, softirq, hardirq and NMI, each inside a span of the previous one.  With
 * PREEMPT_RT, a task may be switched out when it enables softirqs again.
 */
static void spans_nest_in_all_contexts(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	const struct lsmpmon_span *outermost = lsmpmon_of(current)->span;
	struct lsmpmon_cell after;
	struct nest n = {};

	task_with_softirq(&n);
	KUNIT_ASSERT_TRUE(test, n.struck);
	KUNIT_EXPECT_TRUE(test, n.in_softirq);
	KUNIT_EXPECT_TRUE(test, n.in_hardirq);

	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.count + after.cs_count,
			before.count + before.cs_count + 4);
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		KUNIT_EXPECT_EQ(test, after.cs_count, before.cs_count);
	/* All but the innermost were interrupted. */
	KUNIT_EXPECT_GE(test, after.irq_count + after.cs_count,
			before.irq_count + before.cs_count + 3);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_of(current)->span, outermost);
}

/*
 * The end of a hook call, step by step, with another event after the span is unlinked
 * and before it is read.
 */
static void end_struck(struct lsmpmon_frame *frame, void (*strike)(void))
{
	const u64 now = lsmpmon_clock();

	lsmpmon_span_unlink(lsmpmon_of(current), &frame->span);
	strike();
	preempt_disable();
	if (READ_ONCE(frame->span.unusual))
		lsmpmon_end_unusual(SELF, now, 0, frame);
	else
		lsmpmon_record_usual(SELF, now - frame->span.begin);
}

/* A hook call between the end and the record of a span that slept. */
static void interrupt_at_the_end_hides_no_switch(struct kunit *test)
{
	const struct lsmpmon_cell before = self_cell(LSMPMON_ALLOW);
	struct lsmpmon_cell after;
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	msleep(20);
	preempt_disable();
	end_struck(&frame, nmi_with_span);
	preempt_enable();
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.cs_count, before.cs_count + 1);
	KUNIT_EXPECT_EQ(test, after.count, before.count + 1);
}

/* An interrupt after the span is unlinked is inside no span. */
static void nmi_at_the_end_disturbs_nothing(struct kunit *test)
{
	struct lsmpmon_cell before, after;
	unsigned long flags;
	LSMPMON_FRAME(frame);

	before = self_cell(LSMPMON_ALLOW);
	local_irq_save(flags);
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	end_struck(&frame, nmi_with_span);
	empty_span();
	local_irq_restore(flags);
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.count, before.count + 3);
	KUNIT_EXPECT_EQ(test, after.irq_count, before.irq_count);
}

static void nmi_at_the_end_disturbs_nothing_detailed(struct kunit *test)
{
	struct lsmpmon_cell before, after;
	unsigned long flags;
	LSMPMON_FRAME(frame);

	before = self_cell(LSMPMON_ALLOW);
	local_irq_save(flags);
	lsmpmon_begin_decided(&frame, LSMPMON_HOOK_SELF, true);
	end_struck(&frame, nmi_with_span);
	lsmpmon_begin_decided(&frame, LSMPMON_HOOK_SELF, true);
	lsmpmon_end(SELF, 0);
	local_irq_restore(flags);
	after = self_cell(LSMPMON_ALLOW);
	KUNIT_EXPECT_EQ(test, after.count, before.count + 3);
	KUNIT_EXPECT_EQ(test, after.irq_count, before.irq_count);
}

static struct kunit_case disturbance_cases[] = {
	KUNIT_CASE(sleep_is_a_switch),
	KUNIT_CASE(switch_disturbs_what_is_open),
	KUNIT_CASE(migration_is_a_switch),
	KUNIT_CASE(sleep_begun_before_the_probes_is_a_switch),
	KUNIT_CASE(sleep_ended_before_the_probes_is_a_switch),
	KUNIT_CASE(interrupt_is_counted_apart),
	KUNIT_CASE(interrupt_is_no_own_time),
	KUNIT_CASE(end_without_beginning_is_unknown),
	KUNIT_CASE(interrupts_nest),
	KUNIT_CASE(spans_count_in_hardirq),
	KUNIT_CASE(spans_count_in_softirq),
	KUNIT_CASE(spans_count_in_nmi),
	KUNIT_CASE(nmi_that_strikes_a_writer_counts),
	KUNIT_CASE(spans_nest_in_all_contexts),
	KUNIT_CASE(interrupt_at_the_end_hides_no_switch),
	KUNIT_CASE(nmi_at_the_end_disturbs_nothing),
	KUNIT_CASE(nmi_at_the_end_disturbs_nothing_detailed),
	{}
};

static struct kunit_suite disturbance_suite = {
	.name = "lsmpmon_disturbance",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = disturbance_cases,
};

kunit_test_suite(disturbance_suite);
