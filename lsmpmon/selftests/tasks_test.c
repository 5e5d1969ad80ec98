// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: hook calls by thread, name and system call
 *
 * sethostname() and setdomainname() call capable() before they reject a long name, so
 * each call of them makes one call of that hook.
 */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "../kselftest_harness.h"
#include "process.h"
#include "sums.h"
#include "table.h"
#include "uring.h"

#define HOOK	"capable"
#define N	1009
#define M	503
#define THREADS	8
/* More names than there are columns. */
#define CROWD	1300

FIXTURE(tasks)
{
	struct table result, verdicts, tasks;
};

FIXTURE_SETUP(tasks)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_feature("task", 1));
}

FIXTURE_TEARDOWN(tasks)
{
	lsmmon_control(0);
	lsmmon_feature("task", 0);
	table_free(&self->result);
	table_free(&self->verdicts);
	table_free(&self->tasks);
}

static void work(long call, int n)
{
	while (n--)
		syscall(call, "x", 1000);
}

static void read_all(struct __test_metadata *_metadata,
		     FIXTURE_DATA(tasks) *self)
{
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->result, "result"));
	ASSERT_EQ(0, table_read(&self->verdicts, "verdicts"));
	ASSERT_EQ(0, table_read(&self->tasks, "tasks"));
}

/* The sums over all lines of a hook are the hook's own. */
static void expect_conserved(struct __test_metadata *_metadata,
			     FIXTURE_DATA(tasks) *self)
{
	const char *hook;
	int row;

	EXPECT_EQ(0, lsmmon_info("lost"));
	for (row = 0; row < self->result.rows; row++) {
		hook = table_text(&self->result, row, "hook");
		expect_sums(_metadata, &self->verdicts, &self->tasks, "tasks", hook);
	}
}

/* Whether a row is of these; a number of 0, and NULL, is any. */
static int is_of(const struct table *t, int row, long pid, long tid, const char *comm,
		 const char *call)
{
	return (!pid || (long)table_number(t, row, "pid") == pid) &&
	       (!tid || (long)table_number(t, row, "tid") == tid) &&
	       (!comm || !strcmp(table_text(t, row, "comm"), comm)) &&
	       (!call || !strcmp(table_text(t, row, "syscall"), call));
}

static unsigned long long calls_of(const struct table *t, const char *hook, long pid,
				   long tid, const char *comm, const char *call)
{
	unsigned long long calls = 0;
	int row;

	for (row = 0; row < t->rows; row++)
		if (!strcmp(table_text(t, row, "hook"), hook) &&
		    is_of(t, row, pid, tid, comm, call))
			calls += table_number(t, row, "count") +
				 table_number(t, row, "cs_count");
	return calls;
}

/* A thread, which makes N and its number of calls, and M less that of others. */
struct thread {
	pthread_t id;
	int number;
	long tid;
};

static void *run(void *data)
{
	struct thread *t = data;

	t->tid = syscall(SYS_gettid);
	work(SYS_sethostname, N + t->number);
	work(SYS_setdomainname, M - t->number);
	return NULL;
}

TEST_F(tasks, each_thread_pays_in_each_system_call)
{
	struct thread threads[THREADS];
	const struct thread *t;
	int i;

	prctl(PR_SET_NAME, "threads");
	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < THREADS; i++) {
		threads[i].number = i;
		ASSERT_EQ(0, pthread_create(&threads[i].id, NULL, run, &threads[i]));
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i].id, NULL);
	read_all(_metadata, self);
	for (t = threads; t < threads + THREADS; t++) {
		EXPECT_EQ(N + t->number, calls_of(&self->tasks, HOOK, getpid(), t->tid,
						  "threads", "sethostname"));
		EXPECT_EQ(M - t->number, calls_of(&self->tasks, HOOK, getpid(), t->tid,
						  "threads", "setdomainname"));
	}
	EXPECT_EQ(0, calls_of(&self->tasks, HOOK, 0, 0, "other", NULL));
	expect_conserved(_metadata, self);
}

/* A child with a name, in a PID namespace of its own if that is wanted. */
static pid_t child(const char *name, int in_namespace)
{
	pid_t pid;

	if (in_namespace && unshare(CLONE_NEWPID))
		return -1;
	pid = fork();
	if (pid)
		return pid;
	if ((getpid() == 1) != in_namespace || prctl(PR_SET_NAME, name))
		_exit(1);
	work(SYS_sethostname, N);
	prctl(PR_SET_NAME, "later\tname");
	work(SYS_sethostname, M);
	_exit(0);
}

TEST_F(tasks, processes_and_names_are_told_apart)
{
	pid_t one, two;

	ASSERT_EQ(0, lsmmon_control(1));
	one = child("same", 0);
	two = child("same", 0);
	EXPECT_EQ(0, exit_status(one));
	EXPECT_EQ(0, exit_status(two));
	read_all(_metadata, self);
	EXPECT_EQ(N, calls_of(&self->tasks, HOOK, one, one, "same", "sethostname"));
	EXPECT_EQ(N, calls_of(&self->tasks, HOOK, two, two, "same", "sethostname"));
	EXPECT_EQ(M, calls_of(&self->tasks, HOOK, one, one, "later\\011name", NULL));
	EXPECT_EQ(M, calls_of(&self->tasks, HOOK, two, two, "later\\011name", NULL));
	expect_conserved(_metadata, self);
}

/* What a process is called inside of its namespace is not shown. */
TEST_F(tasks, numbers_are_of_the_initial_namespace)
{
	pid_t inside;

	ASSERT_EQ(0, lsmmon_control(1));
	inside = child("inside", 1);
	EXPECT_EQ(0, exit_status(inside));
	read_all(_metadata, self);
	EXPECT_EQ(N, calls_of(&self->tasks, HOOK, inside, inside, "inside",
			      "sethostname"));
	EXPECT_EQ(0, calls_of(&self->tasks, HOOK, 1, 0, "inside", NULL));
}

/* A worker has a number of its own, and the name and the number of its process. */
TEST_F(tasks, threads_of_io_uring_are_of_their_process)
{
	struct uring ring;
	int i;

	if (uring_is_missing())
		SKIP(return, "no io_uring: %s", strerror(errno));
	prctl(PR_SET_NAME, "worked");
	ASSERT_EQ(0, uring_open(&ring, 0));
	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < M; i++)
		ASSERT_LE(0, uring_stat(&ring, "/", IOSQE_ASYNC));
	read_all(_metadata, self);
	EXPECT_EQ(M, calls_of(&self->tasks, "inode_getattr", getpid(), 0, "worked",
			      "uring:STATX"));
	EXPECT_EQ(0, calls_of(&self->tasks, "inode_getattr", getpid(), getpid(),
			      "worked", "uring:STATX"));
	expect_conserved(_metadata, self);
}

static void change_names(void)
{
	char name[16];
	int i;

	for (i = 0; i < CROWD; i++) {
		snprintf(name, sizeof(name), "crowd-%d", i);
		prctl(PR_SET_NAME, name);
		work(SYS_sethostname, 1);
	}
	_exit(0);
}

/* One who makes up names hides neither their own calls nor those of others. */
TEST_F_TIMEOUT(tasks, nobody_is_crowded_out_of_the_count, 120)
{
	unsigned long long other;
	pid_t crowd;
	int row;

	prctl(PR_SET_NAME, "first");
	ASSERT_EQ(0, lsmmon_control(1));
	work(SYS_sethostname, N);
	crowd = fork();
	if (!crowd)
		change_names();
	EXPECT_EQ(0, exit_status(crowd));
	work(SYS_sethostname, M);
	read_all(_metadata, self);
	other = calls_of(&self->tasks, HOOK, 0, 0, "other", "other");
	EXPECT_EQ(N + M, calls_of(&self->tasks, HOOK, getpid(), getpid(), "first",
				  "sethostname"));
	EXPECT_LE(CROWD - 1024, other);
	/* There may be calls of others in it, who have few. */
	EXPECT_LE(CROWD, calls_of(&self->tasks, HOOK, crowd, 0, NULL, "sethostname") +
			 other);
	for (row = 0; row < self->tasks.rows; row++)
		if (!strcmp(table_text(&self->tasks, row, "hook"), HOOK))
			EXPECT_GE(other, table_number(&self->tasks, row, "missed"));
	expect_conserved(_metadata, self);
}

/* Columns of one period are free in the next one. */
TEST_F(tasks, a_reset_frees_the_columns)
{
	pid_t crowd;

	ASSERT_EQ(0, lsmmon_control(1));
	crowd = fork();
	if (!crowd)
		change_names();
	EXPECT_EQ(0, exit_status(crowd));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, table_read(&self->tasks, "tasks"));
	EXPECT_EQ(0, self->tasks.rows);
	ASSERT_EQ(0, lsmmon_control(1));
	work(SYS_setdomainname, N);
	read_all(_metadata, self);
	EXPECT_EQ(N, calls_of(&self->tasks, HOOK, getpid(), getpid(), NULL,
			      "setdomainname"));
	EXPECT_EQ(0, calls_of(&self->tasks, HOOK, 0, 0, "other", NULL));
}

TEST_HARNESS_MAIN
