// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: memory, and CPUs that come and go
 */

#define _GNU_SOURCE
#include <sched.h>
#include <sys/stat.h>

#include "../kselftest_harness.h"
#include "process.h"
#include "table.h"

#define N	10007

static long long memory(void)
{
	return lsmmon_info("memory");
}

FIXTURE(memory)
{
	struct table table;
	cpu_set_t allowed;
	char online[64];
	int cpu;
};

/* The last CPU that can be switched off, or -1. */
static int last_cpu(char *online, size_t size)
{
	int cpu;

	for (cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
		snprintf(online, size, "/sys/devices/system/cpu/cpu%d/online", cpu);
		if (!access(online, W_OK))
			return cpu;
	}
	return -1;
}

FIXTURE_SETUP(memory)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	if (memory() < 0)
		SKIP(return, "no memory in info");
	memset(&self->table, 0, sizeof(self->table));
	ASSERT_EQ(0, sched_getaffinity(0, sizeof(self->allowed), &self->allowed));
	self->cpu = last_cpu(self->online, sizeof(self->online));
	ASSERT_EQ(0, lsmmon_control(1));
	ASSERT_EQ(0, lsmmon_reset());
}

FIXTURE_TEARDOWN(memory)
{
	if (self->cpu >= 0)
		write_file(self->online, "1");
	sched_setaffinity(0, sizeof(self->allowed), &self->allowed);
	lsmmon_control(0);
	lsmmon_feature("histogram", 0);
	lsmmon_feature("syscall", 0);
	table_free(&self->table);
}

TEST_F(memory, comes_and_goes_with_a_feature)
{
	const long long before = memory(), per_cpu_size = lsmmon_info("memory_per_cpu");

	EXPECT_LT(0, per_cpu_size);
	EXPECT_LE(per_cpu_size, before);
	ASSERT_EQ(0, lsmmon_feature("syscall", 1));
	EXPECT_LT(per_cpu_size, lsmmon_info("memory_per_cpu"));
	EXPECT_LT(before, memory());
	ASSERT_EQ(0, lsmmon_feature("syscall", 0));
	EXPECT_EQ(per_cpu_size, lsmmon_info("memory_per_cpu"));
	EXPECT_EQ(before, memory());
}

TEST_F(memory, comes_and_goes_with_an_object)
{
	const long long before = memory();

	ASSERT_EQ(0, lsmmon_write("filter", "o nothing", 9));
	EXPECT_LT(before, memory());
	ASSERT_EQ(0, lsmmon_write("filter", "o", 1));
	EXPECT_EQ(before, memory());
}

TEST_F(memory, is_all_free_after_a_reset_while_off)
{
	ASSERT_EQ(0, lsmmon_control(0));
	EXPECT_LT(0, memory());
	ASSERT_EQ(0, lsmmon_reset());
	EXPECT_EQ(0, memory());
	EXPECT_EQ(0, lsmmon_info("memory_per_cpu"));
}

static int work_on(int cpu)
{
	struct stat st;
	int i, err = run_on(cpu);

	for (i = 0; i < N; i++)
		err |= stat("/", &st);
	return err;
}

static long long calls_on(int cpu)
{
	struct table cpus = {};
	long long calls = 0;
	int row;

	if (table_read(&cpus, "cpus"))
		return -1;
	for (row = 0; row < cpus.rows; row++)
		if (atoi(table_text(&cpus, row, "cpu")) == cpu)
			calls += table_number(&cpus, row, "count") +
				 table_number(&cpus, row, "cs_count");
	table_free(&cpus);
	return calls;
}

/* An offline CPU keeps its counters and their memory until the next reset. */
TEST_F(memory, of_a_cpu_that_goes_off_stays)
{
	long long calls, before, per_cpu_size;

	if (self->cpu < 0)
		SKIP(return, "no CPU can be switched off");
	ASSERT_EQ(0, work_on(self->cpu));
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(self->allowed), &self->allowed));
	ASSERT_EQ(0, write_file(self->online, "0"));
	before = memory();
	per_cpu_size = lsmmon_info("memory_per_cpu");
	calls = calls_on(self->cpu);
	EXPECT_LE(N, calls);
	usleep(10000);
	EXPECT_EQ(calls, calls_on(self->cpu));
	ASSERT_EQ(0, lsmmon_reset());
	EXPECT_EQ(0, calls_on(self->cpu));
	EXPECT_EQ(before - per_cpu_size, memory());
	ASSERT_EQ(0, write_file(self->online, "1"));
	EXPECT_EQ(before, memory());
}

/* A CPU that starts counts from its first call on, whatever was switched meanwhile. */
TEST_F(memory, is_there_when_a_cpu_comes)
{
	if (self->cpu < 0)
		SKIP(return, "no CPU can be switched off");
	ASSERT_EQ(0, write_file(self->online, "0"));
	ASSERT_EQ(0, lsmmon_feature("syscall", 1));
	ASSERT_EQ(0, lsmmon_feature("histogram", 1));
	ASSERT_EQ(0, write_file(self->online, "1"));
	ASSERT_EQ(0, work_on(self->cpu));
	ASSERT_EQ(0, lsmmon_control(0));
	EXPECT_LE(N, calls_on(self->cpu));
	EXPECT_EQ(0, lsmmon_info("lost"));
	ASSERT_EQ(0, table_read(&self->table, "syscalls"));
	EXPECT_LE(N, table_total(&self->table, "inode_getattr"));
}

TEST_HARNESS_MAIN
