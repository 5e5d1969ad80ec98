// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: a program is counted from its first instruction on
 */

#define _GNU_SOURCE
#include <pthread.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "process.h"
#include "reader.h"
#include "table.h"

static char reader[256];

FIXTURE(program)
{
	struct table syscalls;
};

FIXTURE_SETUP(program)
{
	ssize_t length;

	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	length = readlink("/proc/self/exe", reader, sizeof(reader) - 8);
	ASSERT_LT(0, length);
	reader[length] = '\0';
	*strrchr(reader, '/') = '\0';
	strcat(reader, "/reader");
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_feature("syscall", 1));
	ASSERT_EQ(0, lsmmon_reset());
}

FIXTURE_TEARDOWN(program)
{
	lsmmon_control(0);
	lsmmon_write("filter", "p", 1);
	lsmmon_feature("syscall", 0);
	table_free(&self->syscalls);
}

static void *execute(void *unused)
{
	char *const words[] = { "reader", NULL };

	/* Like a shell that searches PATH. */
	execv("/nonexistent/reader", words);
	execv("/proc/self/reader", words);
	execv(reader, words);
	_exit(9);
}

static void *execute_in_thread(void *unused)
{
	pthread_t thread;

	pthread_create(&thread, NULL, execute, NULL);
	pause();
	return NULL;
}

/* Do the work of the program without executing it. */
static void *read_itself(void *unused)
{
	char byte;
	int i;

	execl("/nonexistent/reader", "reader", NULL);
	for (i = 0; i < READER_READS; i++)
		if (read(0, &byte, 1) != 1)
			_exit(9);
	_exit(READER_DONE);
}

/* Select a waiting process, and have it call @act; return its status. */
static int count(FIXTURE_DATA(program) *self, void *(*act)(void *),
		 const char *how)
{
	int gate[2], status;
	char line[64], byte;
	pid_t child;

	if (pipe(gate))
		return -1;
	child = fork();
	if (!child) {
		dup2(open("/dev/zero", O_RDONLY), 0);
		close(gate[1]);
		if (read(gate[0], &byte, 1) == 1)
			act(NULL);
		_exit(10);
	}
	snprintf(line, sizeof(line), "p %d%s", child, how);
	if (lsmmon_write("filter", line, strlen(line)) || lsmmon_control(1) ||
	    write(gate[1], "g", 1) != 1)
		return -2;
	status = exit_status(child);
	close(gate[0]);
	close(gate[1]);
	if (lsmmon_control(0) || table_read(&self->syscalls, "syscalls"))
		return -3;
	return status;
}

static unsigned long long calls_in(const struct table *t, const char *syscall)
{
	unsigned long long n = 0;
	int row;

	for (row = 0; row < t->rows; row++)
		if (!strcmp(table_text(t, row, "syscall"), syscall))
			n += table_number(t, row, "count") +
			     table_number(t, row, "cs_count");
	return n;
}

/* Everything else at the end of a process is in exit_group(). */
static void expect_only_reads(struct __test_metadata *_metadata,
			      const struct table *t)
{
	unsigned long long all = table_total(t, NULL);
	unsigned long long at_end = calls_in(t, "exit_group");

	EXPECT_EQ(READER_READS, table_calls(t, "file_permission", "syscall",
					    "read"));
	EXPECT_EQ(READER_READS, calls_in(t, "read"));
	EXPECT_EQ(READER_READS + at_end, all);
	EXPECT_EQ(0, calls_in(t, "execve"));
	EXPECT_EQ(0, lsmmon_info("lost"));
	TH_LOG("%llu calls in exit_group", at_end);
}

TEST_F(program, counts_from_its_first_instruction)
{
	int status = count(self, execute, " exec");

	if (status == READER_SKIPPED)
		SKIP(return, "not written for this architecture");
	ASSERT_EQ(READER_DONE, status);
	expect_only_reads(_metadata, &self->syscalls);
}

TEST_F(program, of_a_thread_takes_over_the_process)
{
	int status = count(self, execute_in_thread, " exec");

	if (status == READER_SKIPPED)
		SKIP(return, "not written for this architecture");
	ASSERT_EQ(READER_DONE, status);
	expect_only_reads(_metadata, &self->syscalls);
}

TEST_F(program, which_is_not_there_does_not_begin)
{
	ASSERT_EQ(READER_DONE, count(self, read_itself, " exec"));
	EXPECT_EQ(0, table_total(&self->syscalls, NULL));
}

/* Without "exec", a process is counted from now on. */
TEST_F(program, of_a_process_counts_with_how_it_came)
{
	int status = count(self, execute, "");
	unsigned long long reads;

	if (status == READER_SKIPPED)
		SKIP(return, "not written for this architecture");
	ASSERT_EQ(READER_DONE, status);
	/* Including the read() of the gate, unless it began before the filter was set. */
	reads = table_calls(&self->syscalls, "file_permission", "syscall",
			    "read");
	EXPECT_TRUE(reads == READER_READS || reads == READER_READS + 1)
		TH_LOG("%llu reads", reads);
	EXPECT_LT(10, calls_in(&self->syscalls, "execve"));
}

static void expect_filter(struct __test_metadata *_metadata, const char *text)
{
	char seen[256] = "";

	ASSERT_EQ(0, read_text(LSMMON "filter", seen, sizeof(seen)));
	EXPECT_STREQ(text, seen);
}

TEST_F(program, is_shown_and_taken_back)
{
	char line[64], text[128];

	snprintf(line, sizeof(line), "p %d exec\n", getpid());
	snprintf(text, sizeof(text), "s\no\n%s", line);
	ASSERT_EQ(0, lsmmon_write("filter", line, strlen(line)));
	expect_filter(_metadata, text);
	EXPECT_EQ(-ESRCH, lsmmon_write("filter", "p 2147483647 exec", 17));
	EXPECT_EQ(-EINVAL, lsmmon_write("filter", "p 0 exec", 8));
	EXPECT_EQ(-EINVAL, lsmmon_write("filter", "p exec", 6));
	EXPECT_EQ(-EINVAL, lsmmon_write("filter", "p 1 exe", 7));
	expect_filter(_metadata, text);
	ASSERT_EQ(0, lsmmon_write("filter", "p", 1));
	expect_filter(_metadata, "s\no\n");
}

TEST_HARNESS_MAIN
