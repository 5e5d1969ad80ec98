// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: calls are counted on the CPU that they run on
 */

#define _GNU_SOURCE
#include <sched.h>
#include <sys/stat.h>

#include "../kselftest_harness.h"
#include "process.h"
#include "table.h"

#define N	20011

FIXTURE(cpus)
{
	int was_on;
	cpu_set_t allowed;
	struct table table;
};

FIXTURE_SETUP(cpus)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	self->was_on = lsmmon_is_on();
	ASSERT_LE(0, self->was_on);
	ASSERT_EQ(0, sched_getaffinity(0, sizeof(self->allowed), &self->allowed));
}

FIXTURE_TEARDOWN(cpus)
{
	lsmmon_control(self->was_on);
	sched_setaffinity(0, sizeof(self->allowed), &self->allowed);
	table_free(&self->table);
}

/* Each calls inode_getattr. */
static int work_on(int cpu)
{
	struct stat st;
	int i, err = 0;

	if (run_on(cpu) || lsmmon_reset() || lsmmon_control(1))
		return -1;
	for (i = 0; i < N; i++)
		err |= stat("/", &st);
	return err | lsmmon_control(0);
}

TEST_F_TIMEOUT(cpus, calls_are_on_the_cpu_that_made_them, 300)
{
	int cpu, row, had;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &self->allowed))
			continue;
		ASSERT_EQ(0, work_on(cpu));
		ASSERT_EQ(0, table_read(&self->table, "cpus"));
		had = 0;
		for (row = 0; row < self->table.rows; row++) {
			int is_own = atoi(table_text(&self->table, row, "cpu")) == cpu;
			long long calls = table_number(&self->table, row, "count") +
					  table_number(&self->table, row, "cs_count");

			EXPECT_EQ(is_own, calls >= N);
			had += is_own;
		}
		EXPECT_EQ(1, had);
	}
}

TEST_F(cpus, they_add_up_to_the_verdicts)
{
	static const char *const columns[] = { "count", "cs_count", "sum" };
	struct table verdicts = {};
	size_t i;

	ASSERT_EQ(0, work_on(sched_getcpu()));
	ASSERT_EQ(0, table_read(&self->table, "cpus"));
	ASSERT_EQ(0, table_read(&verdicts, "verdicts"));
	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		EXPECT_EQ(table_sum(&verdicts, NULL, columns[i]),
			  table_sum(&self->table, NULL, columns[i]));
	EXPECT_LE(N, table_total(&verdicts, NULL));
	table_free(&verdicts);
}

TEST_HARNESS_MAIN
