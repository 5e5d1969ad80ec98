// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: the monitor shows hooks that spin, sleep, wait for a lock and
 * allocate memory as what they do
 *
 * Times have lower bounds only, and parts are never more than the whole.
 */

#define _GNU_SOURCE
#include <sys/prctl.h>

#include "../kselftest_harness.h"
#include "../lsmpmon/table.h"
#include "acts.h"

#define HOOK		"inode_create"
#define NAME		"tunable_times"

/* What another clock shows for a time: a hundredth less, at the least. */
static unsigned long long least(unsigned long long ns)
{
	return ns - ns / 100;
}

/* Over the verdicts of the hook. */
struct times {
	unsigned long long count, cs_count, irq_count, sum, irq_time, cs_sum, cs_own,
			   cs_max, slept, preempted, unknown, allocations;
};

FIXTURE(times)
{
	struct table verdicts, waits;
	struct times times;
	double ns_per_tick;
};

/* Only files that this test creates are counted, and only their creation waits. */
FIXTURE_SETUP(times)
{
	const long long khz = lsmmon_info("clock_khz");

	memset(self, 0, sizeof(*self));
	if (access(TUNABLE, F_OK) || access(LSMMON, F_OK))
		SKIP(return, "no " TUNABLE " or no " LSMMON);
	nothing_waits();
	ASSERT_LT(0, khz);
	self->ns_per_tick = 1000000.0 / khz;
	ASSERT_EQ(0, prctl(PR_SET_NAME, NAME));
	ASSERT_EQ(0, tunable_set("scope", "s " NAME));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_write("filter", "s " NAME, strlen("s " NAME)));
	ASSERT_EQ(0, lsmmon_feature("module", 1));
	ASSERT_EQ(0, lsmmon_feature("waits", 1));
}

FIXTURE_TEARDOWN(times)
{
	lsmmon_control(0);
	lsmmon_write("filter", "s", 1);
	lsmmon_feature("module", 0);
	lsmmon_feature("waits", 0);
	nothing_waits();
	table_free(&self->verdicts);
	table_free(&self->waits);
}

static int create_files(int files)
{
	const char *path = "/tmp/" NAME;
	int fd;

	while (files--) {
		fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
		if (fd < 0)
			return -errno;
		close(fd);
		unlink(path);
	}
	return 0;
}

/* Create files, each with one call of the hook. */
static void measure_once(struct __test_metadata *_metadata, FIXTURE_DATA(times) *self,
			 int files)
{
	const unsigned long long allocations = stats_of(HOOK).allocations;
	const struct table *t = &self->verdicts;

	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_control(1));
	EXPECT_EQ(0, create_files(files));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->verdicts, "verdicts"));
	ASSERT_EQ(0, table_read(&self->waits, "waits"));
	self->times = (struct times){
		.count = table_sum(t, HOOK, "count"),
		.cs_count = table_sum(t, HOOK, "cs_count"),
		.irq_count = table_sum(t, HOOK, "irq_count"),
		.sum = table_sum(t, HOOK, "sum"),
		.irq_time = table_sum(t, HOOK, "irq_time"),
		.cs_sum = table_sum(t, HOOK, "cs_sum"),
		.cs_own = table_sum(t, HOOK, "cs_own"),
		.cs_max = table_sum(t, HOOK, "cs_max"),
		.slept = table_sum(t, HOOK, "slept"),
		.preempted = table_sum(t, HOOK, "preempted"),
		.unknown = table_sum(t, HOOK, "unknown"),
		.allocations = stats_of(HOOK).allocations - allocations,
	};
}

/*
 * Measure until nothing strikes a call.  A task that is preempted on its way to sleep sleeps
 * less, and an interrupt at the very end of a call that slept leaves its times unknown.
 */
static void measure(struct __test_metadata *_metadata, FIXTURE_DATA(times) *self,
		    int files)
{
	int tries = 20;

	do {
		measure_once(_metadata, self, files);
	} while ((self->times.preempted || self->times.unknown) && --tries);
}

/* All calls were counted, and the parts of their time are within the whole. */
static void expect_conserved(struct __test_metadata *_metadata,
			     FIXTURE_DATA(times) *self, unsigned int calls)
{
	const struct times *t = &self->times;

	EXPECT_EQ(calls, t->count + t->cs_count);
	EXPECT_EQ(0, t->unknown);
	EXPECT_LE(t->irq_time, t->sum);
	EXPECT_LE(t->cs_own + t->slept + t->preempted, t->cs_sum);
	EXPECT_LE(table_sum(&self->waits, HOOK, "sum"), t->sum + t->cs_sum);
	EXPECT_EQ(0, lsmmon_info("lost"));
}

static unsigned long long in_ns(const FIXTURE_DATA(times) *self, unsigned long long ticks)
{
	return ticks * self->ns_per_tick;
}

TEST_F(times, nothing_is_set_and_nothing_waits)
{
	measure(_metadata, self, CALLS);
	expect_conserved(_metadata, self, CALLS);
}

/* The hook was off the CPU for as long as it slept, and that was no own time. */
TEST_F(times, sleep_is_slept)
{
	const unsigned long long ns = 20 * NS;
	const struct times *t = &self->times;

	ASSERT_EQ(0, set_in("sleep_ns", HOOK, ns));
	measure(_metadata, self, CALLS);
	expect_conserved(_metadata, self, CALLS);
	EXPECT_EQ(CALLS, t->cs_count);
	EXPECT_LE(CALLS * least(ns), in_ns(self, t->slept));
	EXPECT_LE(least(ns), in_ns(self, t->cs_max));
	EXPECT_LT(t->cs_own, t->slept);
}

/*
 * A wait that is not disturbed is own time.  One that is lasts no longer, so its own time
 * may be shorter: try until one is not disturbed.
 */
TEST_F_TIMEOUT(times, spinning_is_own_time, 120)
{
	const unsigned long long ns = NS / 5;
	const struct times *t = &self->times;
	int tries = 200;

	ASSERT_EQ(0, set_hook(HOOK, ns));
	do {
		measure(_metadata, self, 1);
		expect_conserved(_metadata, self, 1);
		EXPECT_LE(least(ns), in_ns(self, t->sum + t->cs_sum));
		EXPECT_EQ(0, t->slept);
	} while ((t->cs_count || t->irq_count) && --tries);
	EXPECT_LT(0, tries);
	EXPECT_EQ(0, t->irq_time);
	EXPECT_LE(least(ns), in_ns(self, t->sum));
}

/* The wait is that of the module, of that kind, and inside the time of the hook. */
TEST_F(times, lock_is_waited_for)
{
	const unsigned long long ns = 5 * NS;
	const struct table *waits = &self->waits;
	const struct times *t = &self->times;

	ASSERT_EQ(0, set_in("lock_ns", HOOK, ns));
	measure(_metadata, self, CALLS);
	expect_conserved(_metadata, self, CALLS);
	EXPECT_LE(CALLS, table_sum_where(waits, HOOK, "module", "tunable", "count"));
	EXPECT_LE(CALLS * least(ns),
		  in_ns(self, table_sum_where(waits, HOOK, "kind", "lock", "sum")));
	EXPECT_LE(least(ns),
		  in_ns(self, table_sum_where(waits, HOOK, "kind", "lock", "max")));
	EXPECT_LE(CALLS * least(ns), in_ns(self, t->slept));
	EXPECT_EQ(CALLS, t->cs_count);
}

/* Without measured callbacks, no module is known. */
TEST_F(times, lock_is_waited_for_by_nobody_in_particular)
{
	const unsigned long long ns = 5 * NS;

	ASSERT_EQ(0, lsmmon_feature("module", 0));
	ASSERT_EQ(0, set_in("lock_ns", HOOK, ns));
	measure(_metadata, self, CALLS);
	EXPECT_LE(CALLS, table_sum_where(&self->waits, HOOK, "module", "-", "count"));
	EXPECT_EQ(table_sum(&self->waits, HOOK, "count"),
		  table_sum_where(&self->waits, HOOK, "module", "-", "count"));
	EXPECT_LE(CALLS * least(ns),
		  in_ns(self, table_sum_where(&self->waits, HOOK, "kind", "lock", "sum")));
}

TEST_F(times, memory_is_allocated)
{
	ASSERT_EQ(0, set_in("alloc_bytes", HOOK, 1 << 20));
	measure(_metadata, self, CALLS);
	expect_conserved(_metadata, self, CALLS);
	EXPECT_EQ(CALLS, self->times.allocations);
}

/* All of it in one call. */
TEST_F(times, burdens_add_up)
{
	const unsigned long long ns = 5 * NS;
	const struct times *t = &self->times;
	unsigned long long waited;

	ASSERT_EQ(0, set_hook(HOOK, ns));
	ASSERT_EQ(0, set_in("sleep_ns", HOOK, ns));
	ASSERT_EQ(0, set_in("lock_ns", HOOK, ns));
	ASSERT_EQ(0, set_in("alloc_bytes", HOOK, 1 << 16));
	measure(_metadata, self, CALLS);
	expect_conserved(_metadata, self, CALLS);
	waited = table_sum_where(&self->waits, HOOK, "kind", "lock", "sum");
	EXPECT_LE(CALLS * least(ns), in_ns(self, waited));
	EXPECT_LE(2 * CALLS * least(ns), in_ns(self, t->slept));
	EXPECT_LE(3 * CALLS * least(ns), in_ns(self, t->cs_sum));
}

TEST_HARNESS_MAIN
