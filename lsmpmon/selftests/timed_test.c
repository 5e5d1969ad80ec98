// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: one call in N is timed, and all are counted
 */

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "table.h"

#define FILE_AT	"/tmp/lsmpmon-timed"
/* Number of calls of each kind; LSMMON_CALLS in the environment overrides it. */
#define CALLS	"30011"
#define N	64

FIXTURE(timed)
{
	int n;
	struct table result, verdicts, cpus;
};

static int timed(const char *text)
{
	return lsmmon_write("features", text, strlen(text));
}

FIXTURE_SETUP(timed)
{
	int fd;

	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	self->n = atoi(getenv("LSMMON_CALLS") ?: CALLS);
	ASSERT_LT(1000, self->n);
	fd = open(FILE_AT, O_RDWR | O_CREAT, 0600);
	ASSERT_LE(0, fd);
	close(fd);
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, timed("timed 64"));
}

FIXTURE_TEARDOWN(timed)
{
	lsmmon_control(0);
	lsmmon_write("filter", "s", 1);
	lsmmon_feature("calls", 0);
	timed("timed 1");
	unlink(FILE_AT);
	table_free(&self->result);
	table_free(&self->verdicts);
	table_free(&self->cpus);
}

/* No other task calls stat() meanwhile. */
static void look_at_file(struct __test_metadata *_metadata,
			 FIXTURE_DATA(timed) *self)
{
	struct stat st;
	int i;

	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < self->n; i++)
		stat(FILE_AT, &st);
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->result, "result"));
	ASSERT_EQ(0, table_read(&self->verdicts, "verdicts"));
}

/* At most six standard deviations of a binomial distribution, which varies more. */
static void expect_one_in_n(struct __test_metadata *_metadata, int n,
			    unsigned long long calls)
{
	const long long off = (long long)calls - n / N;

	EXPECT_GE(36LL * n / N, off * off)
		TH_LOG("%llu of %d", calls, n);
}

TEST_F(timed, takes_powers_of_two_only)
{
	static const char *const good[] = {
		"timed 2", "timed 1", "timed 65536\n", "timed 0",
	};
	static const long long now[] = { 2, 1, 65536, 1 };
	static const char *const bad[] = {
		"timed", "timed ", "timed 3", "timed 63", "timed 131072",
		"timed -2", "timed 02", "timed 2 ", "timed two",
		"timed 4294967298", "timed 2\nsyscall 1\n",
	};
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		EXPECT_EQ(0, timed(good[i]));
		EXPECT_EQ(now[i], lsmmon_info("timed"));
	}
	ASSERT_EQ(0, timed("timed 64"));
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		EXPECT_EQ(-EINVAL, timed(bad[i]))
			TH_LOG("'%s'", bad[i]);
		EXPECT_EQ(64, lsmmon_info("timed"));
	}
}

TEST_F_TIMEOUT(timed, counts_are_exact, 300)
{
	look_at_file(_metadata, self);
	EXPECT_EQ(self->n, table_total(&self->result, "inode_getattr"));
	/* The file control is opened once more. */
	EXPECT_LE(2 * self->n, table_total(&self->result, "inode_permission"));
	EXPECT_GE(2 * self->n + 50, table_total(&self->result, "inode_permission"));
	expect_one_in_n(_metadata, self->n,
			table_sum(&self->result, "inode_getattr", "timed"));
	expect_one_in_n(_metadata, self->n,
			table_sum(&self->result, "inode_permission",
				  "timed") / 2);
	EXPECT_EQ(0, lsmmon_info("lost"));
}

/* The average is that of the timed calls, whose sum the file verdicts has. */
TEST_F_TIMEOUT(timed, tables_agree, 300)
{
	unsigned long long count, number, sum;
	const char *hook;
	int row;

	look_at_file(_metadata, self);
	ASSERT_EQ(0, table_read(&self->cpus, "cpus"));
	for (row = 0; row < self->result.rows; row++) {
		hook = table_text(&self->result, row, "hook");
		count = table_number(&self->result, row, "count");
		number = table_number(&self->result, row, "timed");
		sum = table_sum(&self->verdicts, hook, "sum");
		EXPECT_GE(count, number);
		EXPECT_EQ(count, table_sum(&self->verdicts, hook, "count"));
		EXPECT_EQ(number, table_sum(&self->verdicts, hook, "timed"));
		EXPECT_EQ(number ? sum / number : 0,
			  table_number(&self->result, row, "ave"));
	}
	EXPECT_EQ(table_sum(&self->result, NULL, "count"),
		  table_sum(&self->cpus, NULL, "count"));
	EXPECT_EQ(table_sum(&self->result, NULL, "timed"),
		  table_sum(&self->cpus, NULL, "timed"));
}

/* sethostname() calls capable() before it rejects the long name. */
TEST_F_TIMEOUT(timed, denials_are_exact, 300)
{
	struct table denials = {};
	unsigned long long calls;
	int i, status;
	pid_t child;

	ASSERT_EQ(0, lsmmon_control(1));
	child = fork();
	if (!child) {
		if (setuid(65534))
			_exit(1);
		for (i = 0; i < self->n; i++)
			if (!syscall(SYS_sethostname, "x", 1000))
				_exit(1);
		_exit(0);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, status);
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->verdicts, "verdicts"));
	ASSERT_EQ(0, table_read(&denials, "denials"));
	calls = table_calls(&self->verdicts, "capable", "verdict", "deny");
	EXPECT_LE(self->n, calls);
	EXPECT_GE(self->n + 10, calls);
	EXPECT_EQ(calls, table_total(&denials, "capable"));
	table_free(&denials);
}

/* Calls that the filter rejects are in no counter, timed or not. */
TEST_F_TIMEOUT(timed, filter_selects_them, 300)
{
	ASSERT_EQ(0, prctl(PR_SET_NAME, "not-this-one"));
	ASSERT_EQ(0, lsmmon_write("filter", "s this-one", 10));
	look_at_file(_metadata, self);
	EXPECT_EQ(0, table_total(&self->result, "inode_getattr"));
	ASSERT_EQ(0, prctl(PR_SET_NAME, "this-one"));
	look_at_file(_metadata, self);
	EXPECT_EQ(self->n, table_total(&self->result, "inode_getattr"));
	expect_one_in_n(_metadata, self->n,
			table_sum(&self->result, "inode_getattr", "timed"));
}

/* The share of a system call would be too small without the time of each. */
TEST_F_TIMEOUT(timed, each_is_timed_while_calls_is_on, 300)
{
	if (access(LSMMON "calls", F_OK))
		SKIP(return, "no system call tracepoints");
	ASSERT_EQ(0, lsmmon_feature("calls", 1));
	look_at_file(_metadata, self);
	EXPECT_EQ(self->n, table_total(&self->result, "inode_getattr"));
	EXPECT_EQ(table_sum(&self->result, "inode_getattr", "count"),
		  table_sum(&self->result, "inode_getattr", "timed"));
}

TEST_F(timed, has_no_column_where_all_are)
{
	ASSERT_EQ(0, timed("timed 1"));
	ASSERT_EQ(0, table_read(&self->result, "result"));
	ASSERT_EQ(0, table_read(&self->verdicts, "verdicts"));
	ASSERT_EQ(0, table_read(&self->cpus, "cpus"));
	EXPECT_EQ(-1, table_column(&self->result, "timed"));
	EXPECT_EQ(-1, table_column(&self->verdicts, "timed"));
	EXPECT_EQ(-1, table_column(&self->cpus, "timed"));
}

TEST_HARNESS_MAIN
