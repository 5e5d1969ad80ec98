// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: hook calls by what they are nested in
 */

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../kselftest_harness.h"
#include "sums.h"
#include "table.h"

#define N	509

FIXTURE(nested)
{
	struct table verdicts, nested;
};

FIXTURE_SETUP(nested)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_feature("nested", 1));
}

FIXTURE_TEARDOWN(nested)
{
	lsmmon_control(0);
	lsmmon_write("filter", "s", 1);
	lsmmon_feature("nested", 0);
	lsmmon_feature("module", 0);
	table_free(&self->verdicts);
	table_free(&self->nested);
}

/* The module `capability` asks for CAP_SETPCAP before it looks at the number. */
static void drop_no_capability(void)
{
	prctl(PR_CAPBSET_DROP, 1000);
}

static int measure(FIXTURE_DATA(nested) *self)
{
	struct stat st;
	int i;

	if (lsmmon_control(1))
		return -1;
	for (i = 0; i < N; i++) {
		drop_no_capability();
		stat("/proc/self/status", &st);
	}
	return lsmmon_control(0) || table_read(&self->verdicts, "verdicts") ||
	       table_read(&self->nested, "nested") ? -1 : 0;
}

/* The sum of a column over the calls of a hook in another; all modules if it is NULL. */
static unsigned long long inside(const struct table *t, const char *hook,
				 const char *outer, const char *module,
				 const char *column)
{
	unsigned long long sum = 0;
	int row;

	for (row = 0; row < t->rows; row++)
		if (!strcmp(table_text(t, row, "hook"), hook) &&
		    !strcmp(table_text(t, row, "outer"), outer) &&
		    (!module || !strcmp(table_text(t, row, "module"), module)))
			sum += table_number(t, row, column);
	return sum;
}

static unsigned long long calls_inside(const struct table *t, const char *hook,
				       const char *outer, const char *module)
{
	return inside(t, hook, outer, module, "count") +
	       inside(t, hook, outer, module, "cs_count");
}

TEST_F(nested, sums_equal_the_hooks_own)
{
	int row;

	ASSERT_EQ(0, measure(self));
	EXPECT_EQ(0, lsmmon_info("lost"));
	EXPECT_LT(2, self->verdicts.rows);
	for (row = 0; row < self->verdicts.rows; row++)
		expect_sums(_metadata, &self->verdicts, &self->nested, "nested",
			    table_text(&self->verdicts, row, "hook"));
	EXPECT_EQ(table_total(&self->verdicts, NULL), table_total(&self->nested, NULL));
}

TEST_F(nested, outer_is_a_hook)
{
	ASSERT_EQ(0, measure(self));
	EXPECT_EQ(N, (int)calls_inside(&self->nested, "capable", "task_prctl", "-"));
	EXPECT_EQ(N, (int)calls_inside(&self->nested, "capable", "task_prctl", NULL));
	EXPECT_EQ(N, (int)calls_inside(&self->nested, "task_prctl", "-", "-"));
}

TEST_F(nested, outer_is_a_callback_if_callbacks_are_measured)
{
	ASSERT_EQ(0, lsmmon_feature("module", 1));
	ASSERT_EQ(0, measure(self));
	EXPECT_EQ(N, (int)calls_inside(&self->nested, "capable", "task_prctl",
				       "capability"));
	EXPECT_EQ(N, (int)calls_inside(&self->nested, "capable", "task_prctl", NULL));
}

TEST_F(nested, inner_time_is_part_of_the_outer)
{
	unsigned long long inner;

	ASSERT_EQ(0, measure(self));
	inner = inside(&self->nested, "capable", "task_prctl", NULL, "sum");
	EXPECT_LT(0, inner);
	EXPECT_LT(inner, table_sum(&self->verdicts, "task_prctl", "sum") +
			 table_sum(&self->verdicts, "task_prctl", "cs_sum"));
}

TEST_F(nested, table_is_empty_after_a_reset)
{
	ASSERT_EQ(0, measure(self));
	EXPECT_LT(0, self->nested.rows);
	ASSERT_EQ(0, lsmmon_reset());
	table_free(&self->nested);
	ASSERT_EQ(0, table_read(&self->nested, "nested"));
	EXPECT_EQ(0, self->nested.rows);
}

/* Read the rest of a file in small parts; the number of bytes or -1. */
static ssize_t read_rest(int fd)
{
	ssize_t got, total = 0;
	char buffer[256];

	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		total += got;
	return got < 0 ? -1 : total;
}

/* The table is freed with the feature, and a reader shows what it had copied. */
TEST_F(nested, reader_outlives_the_table)
{
	ssize_t whole, rest;
	char head[256];
	int fd;

	ASSERT_EQ(0, measure(self));
	fd = open(LSMMON "/nested", O_RDONLY);
	ASSERT_LE(0, fd);
	whole = read_rest(fd);
	ASSERT_LT(4 * (ssize_t)sizeof(head), whole);
	ASSERT_EQ(0, lseek(fd, 0, SEEK_SET));
	ASSERT_EQ((ssize_t)sizeof(head), read(fd, head, sizeof(head)));
	ASSERT_EQ(0, lsmmon_feature("nested", 0));
	rest = read_rest(fd);
	EXPECT_EQ(whole, (ssize_t)sizeof(head) + rest);
	close(fd);
}

TEST_HARNESS_MAIN
