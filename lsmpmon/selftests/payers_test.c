// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: who pays for hook calls, by command and by cgroup
 *
 * sethostname() asks capable() before it finds the name too long, so that each
 * call of it is one of that hook.
 */

#define _GNU_SOURCE
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "table.h"
#include "uring.h"

#define HOOK	"capable"
#define N	1009
#define M	503
/* More than have columns of their own. */
#define CROWD	400

#define PLACE	"/tmp/lsmpmon-payers"

static void work(int n)
{
	while (n--)
		syscall(SYS_sethostname, "x", 1000);
}

/* A child that waits until it may go, under that name and in that cgroup. */
static pid_t worker(const char *name, const char *cgroup, int go, int n)
{
	char path[128], byte;
	pid_t child = fork();

	if (child)
		return child;
	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup ?: "");
	if ((cgroup && write_file(path, "0")) || prctl(PR_SET_NAME, name) ||
	    (go >= 0 && read(go, &byte, 1) != 1))
		_exit(1);
	work(n);
	_exit(0);
}

/* How many of them failed. */
static int wait_all(void)
{
	int status, failed = 0;

	while (wait(&status) > 0)
		failed += status != 0;
	return failed;
}

static int switch_both(int on)
{
	return lsmmon_feature("comm", on) ?: lsmmon_feature("cgroup", on);
}

FIXTURE(payers)
{
	struct table result, verdicts, comms, cgroups;
};

FIXTURE_SETUP(payers)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	if (access(LSMMON "cgroups", F_OK))
		SKIP(return, "a kernel without cgroups");
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, switch_both(1));
	mkdir(PLACE, 0700);
	ASSERT_EQ(0, mount("none", PLACE, "cgroup2", 0, NULL));
	ASSERT_EQ(0, mkdir(PLACE "/one", 0700));
	ASSERT_EQ(0, mkdir(PLACE "/two", 0700));
}

FIXTURE_TEARDOWN(payers)
{
	lsmmon_control(0);
	switch_both(0);
	rmdir(PLACE "/one");
	rmdir(PLACE "/two");
	umount2(PLACE, MNT_DETACH);
	rmdir(PLACE);
	table_free(&self->result);
	table_free(&self->verdicts);
	table_free(&self->comms);
	table_free(&self->cgroups);
}

static void read_all(struct __test_metadata *_metadata,
		     FIXTURE_DATA(payers) *self)
{
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->result, "result"));
	ASSERT_EQ(0, table_read(&self->verdicts, "verdicts"));
	ASSERT_EQ(0, table_read(&self->comms, "comms"));
	ASSERT_EQ(0, table_read(&self->cgroups, "cgroups"));
}

static unsigned long long by_comm(FIXTURE_DATA(payers) *self, const char *name)
{
	return table_calls(&self->comms, HOOK, "comm", name);
}

static unsigned long long by_cgroup(FIXTURE_DATA(payers) *self, const char *path)
{
	return table_calls(&self->cgroups, HOOK, "cgroup", path);
}

/* Each table has all calls of each hook, and all their time. */
static void expect_conserved(struct __test_metadata *_metadata,
			     FIXTURE_DATA(payers) *self)
{
	static const char *const columns[] = { "count", "cs_count", "sum" };
	const char *hook;
	size_t i;
	int row;

	EXPECT_EQ(0, lsmmon_info("lost"));
	for (row = 0; row < self->result.rows; row++) {
		hook = table_text(&self->result, row, "hook");
		for (i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
			unsigned long long own = table_sum(&self->verdicts,
							   hook, columns[i]);

			EXPECT_EQ(own, table_sum(&self->comms, hook, columns[i]))
				TH_LOG("comms: %s of %s", columns[i], hook);
			EXPECT_EQ(own, table_sum(&self->cgroups, hook, columns[i]))
				TH_LOG("cgroups: %s of %s", columns[i], hook);
		}
	}
}

TEST_F(payers, each_command_pays_for_its_own_calls)
{
	ASSERT_EQ(0, lsmmon_control(1));
	worker("payer one", NULL, -1, N);
	worker("payer\ntwo", NULL, -1, M);
	worker("", NULL, -1, M + 1);
	worker("other", NULL, -1, M + 2);
	worker("-", NULL, -1, M + 3);
	EXPECT_EQ(0, wait_all());
	read_all(_metadata, self);
	EXPECT_EQ(N, by_comm(self, "payer\\040one"));
	EXPECT_EQ(M, by_comm(self, "payer\\012two"));
	EXPECT_EQ(M + 1, by_comm(self, "\\000"));
	EXPECT_EQ(M + 2, by_comm(self, "\\157ther"));
	EXPECT_EQ(M + 3, by_comm(self, "\\055"));
	EXPECT_EQ(0, by_comm(self, "other"));
	expect_conserved(_metadata, self);
}

/* A child that has the kernel's threads for io_uring do its work. */
static pid_t uring_user(const char *name, const char *cgroup, unsigned int setup,
			unsigned int flags)
{
	char path[128];
	struct uring ring;
	pid_t child = fork();
	int i;

	if (child)
		return child;
	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	if (write_file(path, "0") || prctl(PR_SET_NAME, name) ||
	    uring_open(&ring, setup))
		_exit(1);
	for (i = 0; i < M; i++)
		if (uring_stat(&ring, "/", flags) < 0)
			_exit(1);
	_exit(0);
}

/* Their names have the number of a task in them, and there may be any number. */
TEST_F(payers, threads_of_io_uring_pay_nothing)
{
	if (uring_is_missing())
		SKIP(return, "no io_uring: %s", strerror(errno));
	ASSERT_EQ(0, lsmmon_control(1));
	uring_user("worked", PLACE "/one", 0, IOSQE_ASYNC);
	uring_user("polled", PLACE "/two", IORING_SETUP_SQPOLL, 0);
	EXPECT_EQ(0, wait_all());
	read_all(_metadata, self);
	EXPECT_EQ(M, table_calls(&self->comms, "inode_getattr", "comm", "worked"));
	EXPECT_EQ(M, table_calls(&self->comms, "inode_getattr", "comm", "polled"));
	EXPECT_EQ(M, table_calls(&self->cgroups, "inode_getattr", "cgroup", "/one"));
	EXPECT_EQ(M, table_calls(&self->cgroups, "inode_getattr", "cgroup", "/two"));
	expect_conserved(_metadata, self);
}

/* In namespaces of their own, as containers are, and at the same time. */
static pid_t container(const char *cgroup, int go, int n)
{
	pid_t child = fork();
	int status;

	if (child)
		return child;
	if (unshare(CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC))
		_exit(1);
	worker("contained", cgroup, go, n);
	if (wait(&status) < 0)
		_exit(1);
	_exit(status != 0);
}

TEST_F(payers, each_container_pays_for_its_own_calls)
{
	int go[2];

	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, lsmmon_control(1));
	container(PLACE "/one", go[0], N);
	container(PLACE "/two", go[0], M);
	ASSERT_EQ(2, write(go[1], "go", 2));
	EXPECT_EQ(0, wait_all());
	read_all(_metadata, self);
	EXPECT_EQ(N, by_cgroup(self, "/one"));
	EXPECT_EQ(M, by_cgroup(self, "/two"));
	EXPECT_EQ(N + M, by_comm(self, "contained"));
	expect_conserved(_metadata, self);
	close(go[0]);
	close(go[1]);
}

/* A container is mostly gone by the time that somebody asks. */
TEST_F(payers, cgroup_keeps_its_name_after_it_was_removed)
{
	int again;

	ASSERT_EQ(0, lsmmon_control(1));
	for (again = 0; again < 2; again++) {
		ASSERT_EQ(0, mkdir(PLACE "/gone away", 0700));
		worker("contained", PLACE "/gone away", -1, N);
		EXPECT_EQ(0, wait_all());
		ASSERT_EQ(0, rmdir(PLACE "/gone away"));
	}
	read_all(_metadata, self);
	EXPECT_EQ(2 * N, by_cgroup(self, "/gone\\040away"));
	expect_conserved(_metadata, self);
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, table_read(&self->cgroups, "cgroups"));
	EXPECT_EQ(0, self->cgroups.rows);
}

static void change_names(int n)
{
	char name[16];
	int i;

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "crowd-%d", i);
		prctl(PR_SET_NAME, name);
		work(1);
	}
	_exit(0);
}

/* A user who has many names hides behind none of them, nor anybody else. */
TEST_F(payers, nobody_is_crowded_out_of_the_count)
{
	unsigned long long other;

	ASSERT_EQ(0, lsmmon_control(1));
	worker("first", NULL, -1, M);
	EXPECT_EQ(0, wait_all());
	if (!fork())
		change_names(CROWD);
	EXPECT_EQ(0, wait_all());
	worker("first", NULL, -1, M);
	worker("late", NULL, -1, N);
	EXPECT_EQ(0, wait_all());
	read_all(_metadata, self);
	EXPECT_EQ(2 * M, by_comm(self, "first"));
	EXPECT_EQ(1, by_comm(self, "crowd-0"));
	EXPECT_EQ(0, by_comm(self, "late"));
	other = by_comm(self, "other");
	EXPECT_LE(N + CROWD - 256, other);
	EXPECT_GE(N + CROWD, other);
	expect_conserved(_metadata, self);
}

/* The same with cgroups, of which a user may have many, too. */
TEST_F_TIMEOUT(payers, cgroups_without_a_column_are_counted_together, 120)
{
	char path[64];
	int i;

	ASSERT_EQ(0, lsmmon_control(1));
	worker("first", PLACE "/one", -1, M);
	EXPECT_EQ(0, wait_all());
	for (i = 0; i < CROWD; i++) {
		snprintf(path, sizeof(path), PLACE "/crowd-%d", i);
		ASSERT_EQ(0, mkdir(path, 0700));
		worker("crowd", path, -1, 1);
		EXPECT_EQ(0, wait_all());
		ASSERT_EQ(0, rmdir(path));
	}
	worker("first", PLACE "/one", -1, M);
	worker("late", PLACE "/two", -1, N);
	EXPECT_EQ(0, wait_all());
	read_all(_metadata, self);
	EXPECT_EQ(2 * M, by_cgroup(self, "/one"));
	EXPECT_EQ(0, by_cgroup(self, "/two"));
	EXPECT_LE(N + CROWD - 256, by_cgroup(self, "other"));
	EXPECT_GE(N + CROWD, by_cgroup(self, "other"));
	expect_conserved(_metadata, self);
}

TEST_HARNESS_MAIN
