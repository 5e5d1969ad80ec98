// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of tasks as payers
 *
 * KUnit runs in a kernel thread, which is in no operation.  For a span, with interrupts
 * off, it passes for a task in an operation of io_uring.
 */

#include <linux/completion.h>
#include <linux/io_uring.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "../feature.h"
#include "../memory.h"
#include "../operation.h"
#include "payers.h"
#include "self.h"

#define KIND	LSMPMON_BY_TASK

#define THREADS		5
#define OPERATIONS	8
/* In all operations, more payers than there are columns. */
#define NAMES		(LSMPMON_TASK_PAYERS / OPERATIONS + 40)

static int task_test_init(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_IO_URING))
		kunit_skip(test, "no io_uring");
	self_test_init(test);
	return lsmpmon_feature_switch(LSMPMON_FEATURE_TASK, true);
}

static void task_test_exit(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_IO_URING))
		return;
	lsmpmon_feature_switch(LSMPMON_FEATURE_TASK, false);
	self_test_exit(test);
}

static void span_in(unsigned int operation)
{
	struct lsmpmon_task *task = lsmpmon_of(current);
	const u32 before = task->uring;
	unsigned long flags;

	local_irq_save(flags);
	current->flags &= ~PF_KTHREAD;
	task->uring = operation + 1;
	empty_span();
	task->uring = before;
	current->flags |= PF_KTHREAD;
	local_irq_restore(flags);
}

static void call_oneself(const char *comm)
{
	char name[TASK_COMM_LEN];

	strscpy(name, comm, sizeof(name));
	set_task_comm(current, name);
}

/* The column of a payer; the fixed one if it has none. */
static unsigned int column_of(const char *comm, pid_t tid, u64 operation)
{
	const struct lsmpmon_payers *p = lsmpmon_payers[KIND];
	unsigned int column;

	for (column = 0; column < LSMPMON_TASK_PAYERS; column++)
		if (!test_bit(column, p->free) && p->key[column].tid == tid &&
		    p->key[column].operation == operation &&
		    !strncmp(p->key[column].comm, comm, TASK_COMM_LEN))
			return column;
	return lsmpmon_other_payer(KIND);
}

/* Spans of one of several threads of the same name: one more in each next operation. */
struct thread {
	pid_t tid;
	unsigned int number;
	struct completion done;
};

static int make_spans(void *data)
{
	struct thread *t = data;
	unsigned int operation, i;

	t->tid = task_pid_nr(current);
	for (operation = 0; operation < OPERATIONS; operation++)
		for (i = 0; i < 10 * t->number + operation; i++)
			span_in(operation);
	empty_span();
	complete(&t->done);
	return 0;
}

static void expect_spans(struct kunit *test, const struct thread *t)
{
	unsigned int operation;

	for (operation = 1; operation < OPERATIONS; operation++)
		KUNIT_EXPECT_EQ(test, 10 * t->number + operation,
				calls_in(KIND, column_of("same", t->tid,
							 LSMPMON_URING + operation)));
	KUNIT_EXPECT_EQ(test, 1, calls_in(KIND, column_of("same", t->tid,
							  LSMPMON_NO_OPERATION)));
}

static void each_thread_pays_in_each_operation(struct kunit *test)
{
	struct thread threads[THREADS];
	struct thread *t;

	for (t = threads; t < threads + THREADS; t++) {
		t->number = t - threads;
		init_completion(&t->done);
		KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(make_spans, t, "same")));
	}
	for (t = threads; t < threads + THREADS; t++)
		wait_for_completion(&t->done);
	for (t = threads; t < threads + THREADS; t++)
		expect_spans(test, t);
	KUNIT_EXPECT_EQ(test, calls_in(KIND, lsmpmon_other_payer(KIND)), 0);
}

static void spans_by_key(const char *prefix)
{
	char name[TASK_COMM_LEN];
	unsigned int i, operation;

	for (i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "%s %u", prefix, i);
		call_oneself(name);
		for (operation = 0; operation < OPERATIONS; operation++)
			span_in(operation);
	}
}

static void each_call_is_counted_once(struct kunit *test)
{
	int round;

	for (round = 1; round < 4; round++) {
		spans_by_key("payer");
		KUNIT_EXPECT_EQ(test, calls_of_all(KIND), round * NAMES * OPERATIONS);
		make_room(KIND);
		KUNIT_EXPECT_EQ(test, calls_of_all(KIND), round * NAMES * OPERATIONS);
	}
	KUNIT_EXPECT_GT(test, calls_in(KIND, lsmpmon_other_payer(KIND)), 0);
}

/* Whether the payer has kept its column or not. */
static void what_a_column_lacks_is_known(struct kunit *test)
{
	unsigned int column, i, rounds = 0;
	char prefix[8];
	u64 round;

	for (round = 1; round <= 10; round++) {
		call_oneself("seldom");
		for (i = 0; i < 3; i++)
			span_in(1);
		snprintf(prefix, sizeof(prefix), "s%llu", round);
		spans_by_key(prefix);
		make_room(KIND);
		column = column_of("seldom", current->pid, LSMPMON_URING + 1);
		if (column == lsmpmon_other_payer(KIND))
			continue;
		rounds++;
		KUNIT_EXPECT_GE(test, calls_in(KIND, column) + missed_in(KIND, column), 3 * round);
	}
	kunit_info(test, "had a column after %u of 10 rounds", rounds);
}

static void the_heaviest_keep_theirs(struct kunit *test)
{
	unsigned int column, i;
	char prefix[8];

	call_oneself("heavy");
	for (i = 0; i < 1000; i++)
		span_in(2);
	for (i = 0; i < 5; i++) {
		snprintf(prefix, sizeof(prefix), "r%u", i);
		spans_by_key(prefix);
		make_room(KIND);
	}
	column = column_of("heavy", current->pid, LSMPMON_URING + 2);
	KUNIT_EXPECT_EQ(test, calls_in(KIND, column), 1000);
	KUNIT_EXPECT_EQ(test, missed_in(KIND, column), 0);
}

static unsigned int longest_chain(const struct lsmpmon_payers *p)
{
	unsigned int slot, length, longest = 0;
	u32 column;

	for (slot = 0; slot < ARRAY_SIZE(p->first); slot++) {
		length = 0;
		for (column = p->first[slot]; column; column = p->next[column - 1])
			length++;
		longest = max(longest, length);
	}
	return longest;
}

/* Names whose two words differ in the same top bits of bytes. */
static void crafted_names_do_not_collide(struct kunit *test)
{
	char name[TASK_COMM_LEN] = "abcdefghijklmno";
	unsigned int i, byte;

	for (i = 0; i < 128; i++) {
		for (byte = 0; byte < 7; byte++)
			name[byte] = 'a' | (i & BIT(byte) ? 0x80 : 0);
		memcpy(name + sizeof(u64), name, 7);
		call_oneself(name);
		span_in(0);
	}
	KUNIT_EXPECT_LE(test, longest_chain(lsmpmon_payers[KIND]), 8);
}

static void reset_frees_the_columns(struct kunit *test)
{
	spans_by_key("payer");
	lsmpmon_reset();
	KUNIT_EXPECT_EQ(test, calls_of_all(KIND), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_payers_left(lsmpmon_payers[KIND]),
			LSMPMON_TASK_PAYERS);
	call_oneself("another");
	span_in(3);
	KUNIT_EXPECT_EQ(test, 1, calls_in(KIND, column_of("another", current->pid,
							  LSMPMON_URING + 3)));
}

/* Hook calls in interrupts have no payer. */
static void interrupts_have_a_column_of_their_own(struct kunit *test)
{
	unsigned long flags;

	local_irq_save(flags);
	preempt_count_add(HARDIRQ_OFFSET);
	empty_span();
	preempt_count_sub(HARDIRQ_OFFSET);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, calls_in(KIND, lsmpmon_no_payer(KIND)), 1);
	KUNIT_EXPECT_EQ(test, calls_of_all(KIND), 0);
}

/* The columns come and go with the feature, and are in the memory that info tells. */
static void columns_are_memory_of_the_feature(struct kunit *test)
{
	const size_t on = lsmpmon_memory();

	KUNIT_EXPECT_EQ(test, lsmpmon_payers_size(KIND),
			sizeof(struct lsmpmon_payers));
	lsmpmon_feature_switch(LSMPMON_FEATURE_TASK, false);
	KUNIT_EXPECT_PTR_EQ(test, lsmpmon_payers[KIND], NULL);
	KUNIT_EXPECT_EQ(test, lsmpmon_payers_size(KIND), 0);
	KUNIT_EXPECT_GE(test, on - lsmpmon_memory(), LSMPMON_PAIR_SIZE +
			sizeof(struct lsmpmon_payers));
}

static struct kunit_case task_cases[] = {
	KUNIT_CASE(each_thread_pays_in_each_operation),
	KUNIT_CASE(each_call_is_counted_once),
	KUNIT_CASE(what_a_column_lacks_is_known),
	KUNIT_CASE(the_heaviest_keep_theirs),
	KUNIT_CASE(crafted_names_do_not_collide),
	KUNIT_CASE(reset_frees_the_columns),
	KUNIT_CASE(interrupts_have_a_column_of_their_own),
	KUNIT_CASE(columns_are_memory_of_the_feature),
	{}
};

static struct kunit_suite task_suite = {
	.name = "lsmpmon_task",
	.init = task_test_init,
	.exit = task_test_exit,
	.test_cases = task_cases,
};

kunit_test_suite(task_suite);
