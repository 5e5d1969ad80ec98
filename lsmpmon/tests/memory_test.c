// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of memory and zeroing
 */

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/string.h>

#include "../denial.h"
#include "../feature.h"
#include "../inject.h"
#include "../memory.h"
#include "../share.h"
#include "../slow.h"
#include "../untimed.h"
#include "../wait.h"
#include "../wipe.h"
#include "self.h"

static int no_memory(void)
{
	return -ENOMEM;
}

/* All features but "timed": the other tables have no untimed calls. */
static void switch_features(struct kunit *test, bool on)
{
	int feature;

	for (feature = 0; feature < LSMPMON_FEATURE_TIMED; feature++)
		KUNIT_EXPECT_EQ(test, lsmpmon_feature_switch(feature, on), 0);
}

static void tables_come_and_go_with_their_feature(struct kunit *test)
{
	const size_t before = lsmpmon_memory(), per_cpu_size = lsmpmon_memory_per_cpu();

	lsmpmon_feature_switch(LSMPMON_FEATURE_HISTOGRAM, true);
	KUNIT_EXPECT_EQ(test, lsmpmon_memory_per_cpu(),
			per_cpu_size + LSMPMON_HISTOGRAM_SIZE);
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(), before +
			num_online_cpus() * LSMPMON_HISTOGRAM_SIZE);
	/* CPUs share the places of pairs. */
	lsmpmon_feature_switch(LSMPMON_FEATURE_SYSCALL, true);
	KUNIT_EXPECT_GT(test, lsmpmon_memory(), before + num_online_cpus() *
			(LSMPMON_HISTOGRAM_SIZE + LSMPMON_PAIR_SIZE));
	lsmpmon_feature_switch(LSMPMON_FEATURE_HISTOGRAM, false);
	lsmpmon_feature_switch(LSMPMON_FEATURE_SYSCALL, false);
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(), before);
	KUNIT_EXPECT_EQ(test, lsmpmon_memory_per_cpu(), per_cpu_size);
}

static void reset_while_off_frees_all(struct kunit *test)
{
	KUNIT_EXPECT_GT(test, lsmpmon_memory(), 0);
	lsmpmon_measure(false);
	KUNIT_EXPECT_GT(test, lsmpmon_memory(), 0);
	lsmpmon_reset();
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(), 0);
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, 0);
	lsmpmon_measure(true);
	empty_span();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, 1);
}

static void without_memory_nothing_changes(struct kunit *test)
{
	const size_t before = lsmpmon_memory();
	int err;

	empty_span();
	WRITE_ONCE(lsmpmon_injected[LSMPMON_ALLOCATING], no_memory);
	err = lsmpmon_feature_switch(LSMPMON_FEATURE_HISTOGRAM, true);
	WRITE_ONCE(lsmpmon_injected[LSMPMON_ALLOCATING], NULL);
	KUNIT_EXPECT_EQ(test, err, -ENOMEM);
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(), before);
	KUNIT_EXPECT_GT(test, self_cell(LSMPMON_ALLOW).count, 0);
}

static bool cells_are_blank(const void *table, size_t size)
{
	const struct lsmpmon_cell blank = { .min = U64_MAX }, *cell;

	for (cell = table; (void *)cell < table + size; cell++)
		if (memcmp(cell, &blank, sizeof(blank)))
			return false;
	return true;
}

static bool pairs_are_blank(const struct lsmpmon_pair *pair)
{
	const struct lsmpmon_pair blank = { .min = U64_MAX };
	unsigned int place;

	for (place = 0; place < LSMPMON_ALL_PLACES; place++)
		if (memcmp(&pair[place], &blank, sizeof(blank)))
			return false;
	return true;
}

static bool has_slow_calls(const struct lsmpmon_cpu *c)
{
	unsigned int hook, count = 0;

	for (hook = 0; c->slowest && hook < LSMPMON_CELLS; hook++)
		count += c->slowest[hook].head.count;
	return count;
}

/* One bit for each table of a CPU that is not empty. */
static unsigned int what_is_used(const struct lsmpmon_cpu *c)
{
	unsigned int used = 0;
	int by;

	used |= !cells_are_blank(c->cell, LSMPMON_CELL_SIZE);
	used |= !cells_are_blank(c->callback, LSMPMON_CALLBACK_SIZE) << 1;
	used |= !!memchr_inv(c->histogram, 0, LSMPMON_HISTOGRAM_SIZE) << 2;
	used |= !!memchr_inv(c->denial, 0, LSMPMON_DENIAL_SIZE) << 3;
	used |= !!c->lost << 4;
	used |= (c->share && memchr_inv(c->share, 0, LSMPMON_SHARE_SIZE)) << 5;
	used |= (c->untimed && memchr_inv(c->untimed, 0, LSMPMON_UNTIMED_SIZE)) << 6;
	used |= has_slow_calls(c) << 7;
	for (by = 0; by < LSMPMON_PAIR_TABLES; by++)
		if (c->pair[by])
			used |= !pairs_are_blank(c->pair[by]) << (8 + by);
	used |= (c->wait && memchr_inv(c->wait, 0, LSMPMON_WAIT_SIZE)) <<
		(8 + LSMPMON_PAIR_TABLES);
	return used;
}

/* Call a hook that modules implement, so that callbacks are counted. */
static void use_all(void)
{
	LSMPMON_FRAME(frame);
	int i;

	for (i = 0; i < 100; i++) {
		begin_noted(&frame, LSMPMON_HOOK_file_open, true,
			    (struct lsmpmon_noted){ });
		lsmpmon_callback_at(&frame, i % LSMPMON_PLACES);
		lsmpmon_end(LSMPMON_OFFSET(LSMPMON_HOOK_file_open),
			    i % 2 ? -EACCES : 0);
	}
	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_wait_begins(LSMPMON_RECLAIM);
	lsmpmon_wait_ends(LSMPMON_RECLAIM);
	lsmpmon_end(SELF, 0);
	empty_span();
}

static void reset_wipes_all_that_was_used(struct kunit *test)
{
	const unsigned int expected = 0x8f | 1 << (8 + LSMPMON_BY_COMM) |
				      1 << (8 + LSMPMON_BY_SYSCALL) |
				      1 << (8 + LSMPMON_PAIR_TABLES);
	int cpu;

	switch_features(test, true);
	migrate_disable();
	use_all();
	KUNIT_EXPECT_EQ(test, expected, expected &
			what_is_used(raw_cpu_ptr(&lsmpmon_cpu)));
	migrate_enable();
	/* During the pause of a reset, so that no other calls are counted. */
	lsmpmon_control_lock();
	lsmpmon_pause();
	lsmpmon_wipe();
	for_each_online_cpu(cpu)
		KUNIT_EXPECT_EQ(test, 0,
				what_is_used(per_cpu_ptr(&lsmpmon_cpu, cpu)));
	lsmpmon_zero_and_resume();
	lsmpmon_control_unlock();
	switch_features(test, false);
}

/*
 * Call the callbacks of CPU hotplug in a pause, without taking this CPU offline.  It
 * keeps its tables until a reset, and cannot start while there is no memory.
 */
static void cpu_has_tables_before_it_runs(struct kunit *test)
{
	const int cpu = cpumask_first(cpu_online_mask);
	struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
	const size_t before = lsmpmon_memory();
	const size_t per_cpu_size = lsmpmon_memory_per_cpu();
	int err;

	lsmpmon_measure(false);
	lsmpmon_cpu_is_dead(cpu);
	KUNIT_EXPECT_NOT_NULL(test, c->cell);
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(), before);
	lsmpmon_memory_trim();
	KUNIT_EXPECT_NULL(test, c->cell);
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(), before - per_cpu_size);
	cpus_write_lock();
	WRITE_ONCE(lsmpmon_injected[LSMPMON_ALLOCATING], no_memory);
	err = lsmpmon_cpu_starts(cpu);
	WRITE_ONCE(lsmpmon_injected[LSMPMON_ALLOCATING], NULL);
	KUNIT_EXPECT_EQ(test, err, -ENOMEM);
	KUNIT_EXPECT_EQ(test, lsmpmon_cpu_starts(cpu), 0);
	cpus_write_unlock();
	KUNIT_ASSERT_NOT_NULL(test, c->cell);
	KUNIT_EXPECT_TRUE(test, cells_are_blank(c->cell, LSMPMON_CELL_SIZE));
	KUNIT_EXPECT_EQ(test, lsmpmon_memory(), before);
}

static struct kunit_case memory_cases[] = {
	KUNIT_CASE(tables_come_and_go_with_their_feature),
	KUNIT_CASE(reset_while_off_frees_all),
	KUNIT_CASE(without_memory_nothing_changes),
	KUNIT_CASE(reset_wipes_all_that_was_used),
	KUNIT_CASE(cpu_has_tables_before_it_runs),
	{}
};

static struct kunit_suite memory_suite = {
	.name = "lsmpmon_memory",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = memory_cases,
};

kunit_test_suite(memory_suite);
