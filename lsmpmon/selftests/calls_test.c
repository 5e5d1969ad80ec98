// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: whole system calls and the hook calls inside them
 */

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sched.h>

#include "../kselftest_harness.h"
#include "older.h"
#include "table.h"

#define N	1009

FIXTURE(calls)
{
	struct table calls, syscalls;
};

FIXTURE_SETUP(calls)
{
	memset(self, 0, sizeof(*self));
	if (access(LSMMON "calls", F_OK))
		SKIP(return, "no system call tracepoints on this architecture");
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_feature("calls", 1));
	ASSERT_EQ(0, lsmmon_feature("syscall", 1));
}

FIXTURE_TEARDOWN(calls)
{
	lsmmon_control(0);
	lsmmon_write("filter", "p", 1);
	lsmmon_feature("calls", 0);
	lsmmon_feature("syscall", 0);
	table_free(&self->calls);
	table_free(&self->syscalls);
}

static int row_of(const struct table *t, const char *name)
{
	int row;

	for (row = 0; row < t->rows; row++)
		if (!strcmp(table_text(t, row, "syscall"), name))
			return row;
	return -1;
}

static unsigned long long number(const struct table *t, const char *name,
				 const char *column)
{
	int row = row_of(t, name);

	return row < 0 ? 0 : table_number(t, row, column);
}

static unsigned long long all_calls(const struct table *t, const char *name)
{
	return number(t, name, "count") + number(t, name, "cs_count");
}

/* Hook calls in one system call, according to the file syscalls. */
static unsigned long long hooks_in(const struct table *syscalls,
				   const char *name)
{
	unsigned long long hooks = 0;
	int row;

	for (row = 0; row < syscalls->rows; row++)
		if (!strcmp(table_text(syscalls, row, "syscall"), name))
			hooks += table_number(syscalls, row, "count") +
				 table_number(syscalls, row, "cs_count");
	return hooks;
}

static void measure(struct __test_metadata *_metadata,
		    FIXTURE_DATA(calls) *self, void (*work)(void))
{
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_control(1));
	work();
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->calls, "calls"));
	ASSERT_EQ(0, table_read(&self->syscalls, "syscalls"));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

/* Count this process only: other tasks write its output later. */
static void measure_own(struct __test_metadata *_metadata,
			FIXTURE_DATA(calls) *self, void (*work)(void))
{
	char filter[32];

	snprintf(filter, sizeof(filter), "p %d", getpid());
	ASSERT_EQ(0, lsmmon_write("filter", filter, strlen(filter)));
	measure(_metadata, self, work);
	ASSERT_EQ(0, lsmmon_write("filter", "p", 1));
}

/* System calls that other processes rarely make. */
static void call_known(void)
{
	struct stat st;
	int i;

	for (i = 0; i < N; i++) {
		syscall(SYS_getpgid, 0);
		call_lstat("/tmp", &st);
		call_lstat("/tmp", &st);
		syscall(SYS_personality, 0xffffffff);
		syscall(SYS_sched_yield);
	}
}

TEST_F(calls, are_counted_exactly)
{
	measure(_metadata, self, call_known);
	EXPECT_EQ(N, all_calls(&self->calls, "getpgid"));
	EXPECT_EQ(2 * N, all_calls(&self->calls, LSTAT_NAME));
	EXPECT_EQ(N, all_calls(&self->calls, "personality"));
	EXPECT_EQ(N, all_calls(&self->calls, "sched_yield"));
}

/* The write that switches the monitor off ends after it is off. */
TEST_F(calls, that_switch_are_not_whole)
{
	measure_own(_metadata, self, call_known);
	EXPECT_LE(all_calls(&self->calls, "write"), 1);
	EXPECT_EQ(5 * N, all_calls(&self->calls, "getpgid") +
			 all_calls(&self->calls, LSTAT_NAME) +
			 all_calls(&self->calls, "personality") +
			 all_calls(&self->calls, "sched_yield"));
}

/* The hook calls of each system call equal those in `syscalls`. */
TEST_F(calls, have_their_hooks_inside)
{
	unsigned long long count;

	measure(_metadata, self, call_known);
	EXPECT_EQ(0, number(&self->calls, "personality", "hook_count"));
	EXPECT_EQ(0, number(&self->calls, "personality", "hook_sum"));
	count = number(&self->calls, LSTAT_NAME, "count");
	ASSERT_LT(0, count);
	/* "/" and the file itself: one permission and the attributes. */
	EXPECT_EQ(2 * 2 * N, hooks_in(&self->syscalls, LSTAT_NAME));
	EXPECT_EQ(2 * count, number(&self->calls, LSTAT_NAME, "hook_count"));
	EXPECT_LT(0, number(&self->calls, LSTAT_NAME, "hook_sum"));
}

static int rounds;

static void call_variously(void)
{
	char text[64];
	struct stat st;
	int fd, i;

	for (i = 0; i < rounds; i++) {
		fd = call_by_path(open, openat, "/proc/self/comm", O_RDONLY);
		syscall(SYS_read, fd, text, sizeof(text));
		syscall(SYS_fstat, fd, &st);
		syscall(SYS_fcntl, fd, F_GETFL);
		syscall(SYS_close, fd);
		fd = syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
		syscall(SYS_close, fd);
		syscall(SYS_getpgid, 0);
		call_by_path(mkdir, mkdirat, "/tmp", 0700);
	}
}

/* Compare system calls with the hook calls in them; return the number of those that have any. */
static int compare(struct __test_metadata *_metadata, FIXTURE_DATA(calls) *self)
{
	int row, compared = 0;
	const char *name;

	for (row = 0; row < self->calls.rows; row++) {
		name = table_text(&self->calls, row, "syscall");
		/*
		 * One write switches on and one off: neither is seen whole.
		 * Before Linux 6.6, what close() drops is released after the
		 * exit of the call.
		 */
		if (!strcmp(name, "write") || !strcmp(name, "close"))
			continue;
		EXPECT_EQ(table_number(&self->calls, row, "hook_count") +
			  table_number(&self->calls, row, "cs_hook_count"),
			  hooks_in(&self->syscalls, name))
			TH_LOG("%s", name);
		compared += hooks_in(&self->syscalls, name) >= rounds;
	}
	return compared;
}

/*
 * The file calls gets the system call from the kernel's entry code, the file syscalls
 * from the registers at each hook call.  On a slow machine, most calls may be switched
 * out at least once in many rounds, so fewer rounds leave more to compare.
 */
TEST_F(calls, are_those_that_registers_tell)
{
	int compared = 0;

	for (rounds = N; rounds && compared < 2; rounds /= 2) {
		measure_own(_metadata, self, call_variously);
		compared = compare(_metadata, self);
	}
	EXPECT_LE(2, compared);
}

/* In every system call, the time of hooks is at most the whole time. */
TEST_F(calls, are_longer_than_their_hooks)
{
	int row;

	measure(_metadata, self, call_known);
	ASSERT_LT(3, self->calls.rows);
	for (row = 0; row < self->calls.rows; row++) {
		EXPECT_GE(table_number(&self->calls, row, "sum"),
			  table_number(&self->calls, row, "hook_sum"))
			TH_LOG("%s", table_text(&self->calls, row, "syscall"));
		EXPECT_GE(table_number(&self->calls, row, "cs_sum"),
			  table_number(&self->calls, row, "cs_hook_sum"))
			TH_LOG("%s", table_text(&self->calls, row, "syscall"));
		EXPECT_GE(table_number(&self->calls, row, "hook_sum") +
			  table_number(&self->calls, row, "cs_hook_sum"),
			  table_number(&self->calls, row, "hook_own"))
			TH_LOG("%s", table_text(&self->calls, row, "syscall"));
	}
}

static void sleep_often(void)
{
	int i;

	for (i = 0; i < 23; i++)
		usleep(20000);
}

TEST_F(calls, that_sleep_are_counted_apart)
{
	measure(_metadata, self, sleep_often);
	EXPECT_EQ(23, number(&self->calls, "clock_nanosleep", "cs_count"));
	EXPECT_EQ(0, number(&self->calls, "clock_nanosleep", "count"));
	EXPECT_EQ(0, number(&self->calls, "clock_nanosleep", "sum"));
	EXPECT_EQ(0, number(&self->calls, "clock_nanosleep", "unknown"));
}

/*
 * Each of the 23 calls lasts 20 ms, which is not own time.  A task that is delayed after
 * it has set its timer sleeps for less.
 */
TEST_F(calls, that_sleep_have_three_times)
{
	unsigned long long wall, own, slept, preempted;

	measure(_metadata, self, sleep_often);
	wall = number(&self->calls, "clock_nanosleep", "cs_sum");
	own = number(&self->calls, "clock_nanosleep", "cs_own");
	slept = number(&self->calls, "clock_nanosleep", "slept");
	preempted = number(&self->calls, "clock_nanosleep", "preempted");
	EXPECT_LE(23ULL * 20 * lsmmon_info("clock_khz"), wall);
	EXPECT_LT(0, slept);
	EXPECT_LT(0, own);
	EXPECT_LE(own + slept + preempted, wall);
	EXPECT_LE(slept / 23, number(&self->calls, "clock_nanosleep", "cs_max"));
}

/* Each call is in the tenth of its hooks' share, whatever was inside. */
TEST_F(calls, are_distributed_by_the_share_of_hooks)
{
	static const char *const tenths[] = {
		"share010", "share020", "share030", "share040", "share050",
		"share060", "share070", "share080", "share090", "share100",
	};
	unsigned long long sum;
	unsigned int i;
	int row;

	measure(_metadata, self, call_known);
	ASSERT_LT(3, self->calls.rows);
	for (row = 0; row < self->calls.rows; row++) {
		sum = table_number(&self->calls, row, "unknown");
		for (i = 0; i < sizeof(tenths) / sizeof(*tenths); i++)
			sum += table_number(&self->calls, row, tenths[i]);
		EXPECT_EQ(table_number(&self->calls, row, "count") +
			  table_number(&self->calls, row, "cs_count"), sum)
			TH_LOG("%s", table_text(&self->calls, row, "syscall"));
	}
	/* This system call has no hook. */
	EXPECT_EQ(all_calls(&self->calls, "personality"),
		  number(&self->calls, "personality", "share010") +
		  number(&self->calls, "personality", "unknown"));
}

static void fork_often(void)
{
	pid_t child;
	int i;

	for (i = 0; i < 23; i++) {
		child = call_fork();
		if (!child)
			syscall(SYS_exit_group, 0);
		waitpid(child, NULL, 0);
	}
}

/* A child returns from the fork() of its parent without having called it. */
TEST_F(calls, are_their_callers_own)
{
	measure(_metadata, self, fork_often);
	EXPECT_EQ(23, all_calls(&self->calls, FORK_NAME));
	EXPECT_EQ(0, all_calls(&self->calls, "exit_group"));
}

TEST_F(calls, are_not_counted_when_off)
{
	ASSERT_EQ(0, lsmmon_feature("calls", 0));
	measure(_metadata, self, call_known);
	EXPECT_EQ(0, self->calls.rows);
}

TEST_HARNESS_MAIN
