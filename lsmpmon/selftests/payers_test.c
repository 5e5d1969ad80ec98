// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: hook calls by command and by cgroup
 *
 * sethostname() calls capable() before it rejects a long name, so each call of it
 * makes one call of that hook.
 */

#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "sums.h"
#include "table.h"
#include "uring.h"

#define HOOK	"capable"
#define N	1009
#define M	503
/* More names than there are columns. */
#define CROWD	400

#define PLACE	"/tmp/lsmpmon-payers"

static void work(int n)
{
	while (n--)
		syscall(SYS_sethostname, "x", 1000);
}

/* A child with a given name, in a given cgroup, that waits until it may work. */
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

/* Number of children that failed. */
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

/* Each table has all calls of each hook, and their total time. */
static void expect_conserved(struct __test_metadata *_metadata,
			     FIXTURE_DATA(payers) *self)
{
	const char *hook;
	int row;

	EXPECT_EQ(0, lsmmon_info("lost"));
	for (row = 0; row < self->result.rows; row++) {
		hook = table_text(&self->result, row, "hook");
		expect_sums(_metadata, &self->verdicts, &self->comms, "comms", hook);
		expect_sums(_metadata, &self->verdicts, &self->cgroups, "cgroups", hook);
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

/* A child whose work is done by the kernel's threads for io_uring. */
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

/* Names of workers have the number of a task in them, so there may be many. */
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

/* Several at the same time, in namespaces of their own like containers. */
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

/* Number of removed cgroups that still take memory after some seconds. */
static int dying(void)
{
	char text[256] = "", *number;
	int tries, left = -1;

	for (tries = 0; tries < 100 && left; tries++) {
		if (tries)
			usleep(100000);
		if (read_text(PLACE "/cgroup.stat", text, sizeof(text)))
			return -1;
		number = strstr(text, "nr_dying_descendants ");
		left = number ? atoi(number + strlen("nr_dying_descendants ")) : -1;
	}
	return left;
}

/* Calls of a removed cgroup stay counted, and nothing else is left of it. */
TEST_F(payers, removed_cgroup_leaves_its_column)
{
	int again;

	ASSERT_EQ(0, lsmmon_control(1));
	for (again = 0; again < 2; again++) {
		ASSERT_EQ(0, mkdir(PLACE "/gone away", 0700));
		worker("contained", PLACE "/gone away", -1, N);
		EXPECT_EQ(0, wait_all());
		ASSERT_EQ(0, table_read(&self->cgroups, "cgroups"));
		EXPECT_EQ(N, by_cgroup(self, "/gone\\040away"));
		ASSERT_EQ(0, rmdir(PLACE "/gone away"));
	}
	EXPECT_EQ(0, dying());
	read_all(_metadata, self);
	EXPECT_EQ(0, by_cgroup(self, "/gone\\040away"));
	EXPECT_LE(2 * N, by_cgroup(self, "other"));
	expect_conserved(_metadata, self);
}

static long size_of(const char *file)
{
	static char text[1 << 16];
	int fd = open(file, O_RDONLY);
	long size = 0;
	ssize_t more;

	if (fd < 0)
		return -1;
	while ((more = read(fd, text, sizeof(text))) > 0)
		size += more;
	close(fd);
	return more < 0 ? -1 : size;
}

static pid_t reader(void)
{
	pid_t child = fork();

	while (!child)
		if (size_of(LSMMON "cgroups") < 0 || size_of(LSMMON "comms") < 0)
			_exit(1);
	return child;
}

/* Sums agree while a table is read and cgroups are removed. */
TEST_F_TIMEOUT(payers, thousand_cgroups_come_and_go, 300)
{
	char path[64];
	pid_t child;
	int i;

	ASSERT_EQ(0, lsmmon_control(1));
	child = reader();
	for (i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), PLACE "/short-%d", i);
		ASSERT_EQ(0, mkdir(path, 0700));
		EXPECT_EQ(0, waitpid(worker("short", path, -1, 1), NULL, 0) < 0);
		ASSERT_EQ(0, rmdir(path));
	}
	EXPECT_EQ(0, kill(child, SIGKILL));
	wait_all();
	worker("late", PLACE "/two", -1, N);
	EXPECT_EQ(0, wait_all());
	EXPECT_EQ(0, dying());
	read_all(_metadata, self);
	EXPECT_EQ(N, by_cgroup(self, "/two"));
	EXPECT_LE(1000, by_cgroup(self, "other"));
	EXPECT_GT(1 << 20, size_of(LSMMON "cgroups"));
	EXPECT_LT(0, size_of(LSMMON "cgroups"));
	expect_conserved(_metadata, self);
}

/* A cgroup whose path has the maximum length, and bytes that are not printable. */
#define DEEP	14

static const char *deep_name(void)
{
	static char name[256];

	memset(name, 1, sizeof(name) - 1);
	return name;
}

static int enter_deeper(void)
{
	return mkdir(deep_name(), 0700) ?: chdir(deep_name());
}

TEST_F(payers, long_paths_are_numbers)
{
	char number[32];
	struct stat st;
	int i;

	ASSERT_EQ(0, lsmmon_control(1));
	ASSERT_EQ(0, chdir(PLACE));
	for (i = 0; i < DEEP; i++) {
		ASSERT_EQ(0, enter_deeper());
		worker("deep", ".", -1, M);
	}
	EXPECT_EQ(0, wait_all());
	read_all(_metadata, self);
	EXPECT_GT(1 << 20, size_of(LSMMON "cgroups"));
	expect_conserved(_metadata, self);
	for (i = 0; i < DEEP; i++) {
		ASSERT_EQ(0, stat(".", &st));
		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)st.st_ino);
		EXPECT_EQ(M, by_cgroup(self, number));
		ASSERT_EQ(0, chdir(".."));
		EXPECT_EQ(0, rmdir(deep_name()));
	}
	ASSERT_EQ(0, chdir("/"));
}

/* A reader sees one snapshot to its end, and nobody waits for the reader. */
TEST_F(payers, half_read_table_stays_what_it_was)
{
	static char text[1 << 20];
	ssize_t length, more;
	char name[16];
	int fd, i;

	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "half-%d", i);
		worker(name, NULL, -1, 1);
		EXPECT_EQ(0, wait_all());
	}
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->comms, "comms"));
	fd = open(LSMMON "comms", O_RDONLY);
	ASSERT_LE(0, fd);
	length = read(fd, text, 100);
	ASSERT_EQ(100, length);
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_feature("comm", 0));
	while ((more = read(fd, text + length, 4096)) > 0)
		length += more;
	EXPECT_EQ(0, more);
	more = 0;
	for (i = 0; i < length; i++)
		more += text[i] == '\n';
	EXPECT_EQ(self->comms.rows + 1, more);
	EXPECT_EQ(0, lseek(fd, 0, SEEK_SET));
	more = read(fd, text, sizeof(text));
	ASSERT_LT(0, more);
	EXPECT_EQ(more - 1, strchr(text, '\n') - text);
	close(fd);
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

/*
 * Columns are freed after a while: repeat a call until it has a column.  Returns the
 * number of calls without one, within a minute.
 */
static int calls_without_column(struct table *table, const char *file,
				const char *column, const char *value,
				const char *cgroup)
{
	int tries;

	for (tries = 0; tries < 600; tries++) {
		worker("late", cgroup, -1, 1);
		if (wait_all() || table_read(table, file) ||
		    table_calls(table, HOOK, column, value))
			break;
		usleep(100000);
	}
	return tries;
}

/* A user with many names can hide neither their own calls nor those of others. */
TEST_F_TIMEOUT(payers, nobody_is_crowded_out_of_the_count, 120)
{
	int i, tries;

	ASSERT_EQ(0, lsmmon_control(1));
	worker("first", NULL, -1, M);
	EXPECT_EQ(0, wait_all());
	if (!fork())
		change_names(CROWD);
	EXPECT_EQ(0, wait_all());
	worker("first", NULL, -1, M);
	EXPECT_EQ(0, wait_all());
	tries = calls_without_column(&self->comms, "comms", "comm", "late", NULL);
	worker("late", NULL, -1, N - 1);
	EXPECT_EQ(0, wait_all());
	read_all(_metadata, self);
	EXPECT_EQ(2 * M, by_comm(self, "first"));
	EXPECT_EQ(0, table_sum_where(&self->comms, HOOK, "comm", "first", "missed"));
	EXPECT_EQ(N, by_comm(self, "late"));
	EXPECT_GE(CROWD + tries, by_comm(self, "other"));
	EXPECT_LE(CROWD - 256 + tries, by_comm(self, "other"));
	for (i = 0; i < self->comms.rows; i++)
		EXPECT_GE(table_calls(&self->comms, HOOK, "comm", "other"),
			  strcmp(table_text(&self->comms, i, "hook"), HOOK) ? 0 :
			  table_number(&self->comms, i, "missed"));
	expect_conserved(_metadata, self);
}

/* The same with many cgroups that are not removed. */
TEST_F_TIMEOUT(payers, nobody_is_crowded_out_by_cgroups, 120)
{
	char path[64];
	int i, tries;

	ASSERT_EQ(0, lsmmon_control(1));
	worker("first", PLACE "/one", -1, M);
	EXPECT_EQ(0, wait_all());
	for (i = 0; i < CROWD; i++) {
		snprintf(path, sizeof(path), PLACE "/crowd-%d", i);
		ASSERT_EQ(0, mkdir(path, 0700));
		worker("crowd", path, -1, 1);
		EXPECT_EQ(0, wait_all());
	}
	worker("first", PLACE "/one", -1, M);
	EXPECT_EQ(0, wait_all());
	tries = calls_without_column(&self->cgroups, "cgroups", "cgroup", "/two",
				     PLACE "/two");
	worker("late", PLACE "/two", -1, N - 1);
	EXPECT_EQ(0, wait_all());
	read_all(_metadata, self);
	for (i = 0; i < CROWD; i++) {
		snprintf(path, sizeof(path), PLACE "/crowd-%d", i);
		EXPECT_EQ(0, rmdir(path));
	}
	EXPECT_EQ(2 * M, by_cgroup(self, "/one"));
	EXPECT_EQ(N, by_cgroup(self, "/two"));
	EXPECT_LE(CROWD - 256 + tries, by_cgroup(self, "other"));
	EXPECT_GE(CROWD + tries, by_cgroup(self, "other"));
	expect_conserved(_metadata, self);
}

TEST_HARNESS_MAIN
