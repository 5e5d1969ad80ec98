// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: switching features, and the content of their tables
 */

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <arpa/inet.h>
#include <netinet/in.h>

#include "../kselftest_harness.h"
#include "sums.h"
#include "table.h"

static const char *const names[] = { "syscall", "module", "histogram" };

#define FEATURES	(sizeof(names) / sizeof(*names))

static int switch_all(int on)
{
	size_t i;

	for (i = 0; i < FEATURES; i++)
		if (lsmmon_feature(names[i], on))
			return -1;
	return 0;
}

static int feature_is_on(const char *name)
{
	FILE *f = fopen(LSMMON "features", "r");
	char word[NAME_LENGTH];
	int on, state = -1;

	if (!f)
		return -1;
	while (fscanf(f, "%63s %d", word, &on) == 2)
		if (!strcmp(word, name))
			state = on;
	fclose(f);
	return state;
}

FIXTURE(features)
{
	struct table result, verdicts, syscalls, modules, histogram;
};

FIXTURE_SETUP(features)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, switch_all(1));
}

FIXTURE_TEARDOWN(features)
{
	lsmmon_control(0);
	switch_all(0);
	table_free(&self->result);
	table_free(&self->verdicts);
	table_free(&self->syscalls);
	table_free(&self->modules);
	table_free(&self->histogram);
}

TEST_F(features, switch_on_and_off)
{
	size_t i;

	for (i = 0; i < FEATURES; i++) {
		EXPECT_EQ(1, feature_is_on(names[i]));
		EXPECT_EQ(0, lsmmon_feature(names[i], 0));
		EXPECT_EQ(0, feature_is_on(names[i]));
		EXPECT_EQ(0, lsmmon_feature(names[i], 1));
		EXPECT_EQ(1, feature_is_on(names[i]));
	}
}

TEST_F(features, refuse_anything_else)
{
	static const char *const bad[] = {
		"", "\n", "syscall", "syscall 2", "syscall 01", "1",
		"module  1", " module 1", "module 1 ", "module 1\n\n",
		"module 1\nsyscall 1\n", "calls! 1", "MODULE 1",
		"a-name-that-is-longer-than-any-feature-has 1",
	};
	size_t i, j;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		EXPECT_EQ(-EINVAL, lsmmon_write("features", bad[i],
						strlen(bad[i])))
			TH_LOG("'%s'", bad[i]);
		for (j = 0; j < FEATURES; j++)
			EXPECT_EQ(1, feature_is_on(names[j]));
	}
	EXPECT_EQ(-EINVAL, lsmmon_write("features", "syscall 0\0", 10));
	EXPECT_EQ(1, feature_is_on("syscall"));
}

static void use_files(void)
{
	struct stat st;
	char byte;
	int fd;

	stat("/proc/self/status", &st);
	fd = open("/tmp/lsmpmon-features", O_RDWR | O_CREAT, 0600);
	if (write(fd, "x", 1) != 1 || pread(fd, &byte, 1, 0) != 1)
		_exit(1);
	fchmod(fd, 0640);
	close(fd);
	rename("/tmp/lsmpmon-features", "/tmp/lsmpmon-features-2");
	symlink("nowhere", "/tmp/lsmpmon-link");
	unlink("/tmp/lsmpmon-link");
	unlink("/tmp/lsmpmon-features-2");
	mkdir("/tmp/lsmpmon-dir", 0700);
	rmdir("/tmp/lsmpmon-dir");
}

static void use_network(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t length = sizeof(address);
	int to = socket(AF_INET, SOCK_DGRAM, 0);
	int from = socket(AF_INET, SOCK_DGRAM, 0);
	char byte;

	if (bind(to, (struct sockaddr *)&address, length) ||
	    getsockname(to, (struct sockaddr *)&address, &length) ||
	    sendto(from, "x", 1, 0, (struct sockaddr *)&address, length) != 1 ||
	    recv(to, &byte, 1, 0) != 1)
		_exit(1);
	close(to);
	close(from);
}

static void use_ipc(void)
{
	int shm = shmget(IPC_PRIVATE, 4096, 0600);
	int sem = semget(IPC_PRIVATE, 1, 0600);
	int msg = msgget(IPC_PRIVATE, 0600);
	int pair[2];

	shmctl(shm, IPC_RMID, NULL);
	semctl(sem, 0, IPC_RMID);
	msgctl(msg, IPC_RMID, NULL);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
	    write(pair[0], "x", 1) != 1)
		_exit(1);
	close(pair[0]);
	close(pair[1]);
}

static void use_processes(void)
{
	pid_t child = fork();
	void *page;

	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(page, 4096, PROT_READ);
	munmap(page, 4096);
	waitpid(child, NULL, 0);
}

#define WORKERS	4
#define ROUNDS	60

static void work_in_parallel(void)
{
	void (*const use[WORKERS])(void) = {
		use_files, use_network, use_ipc, use_processes,
	};
	int i, n;

	for (i = 0; i < WORKERS; i++) {
		if (fork())
			continue;
		for (n = 0; n < ROUNDS; n++)
			use[i]();
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
}

static void read_all(struct __test_metadata *_metadata,
		     FIXTURE_DATA(features) *self)
{
	ASSERT_EQ(0, table_read(&self->result, "result"));
	ASSERT_EQ(0, table_read(&self->verdicts, "verdicts"));
	ASSERT_EQ(0, table_read(&self->syscalls, "syscalls"));
	ASSERT_EQ(0, table_read(&self->modules, "modules"));
	ASSERT_EQ(0, table_read(&self->histogram, "histogram"));
}

static void expect_conserved(struct __test_metadata *_metadata,
			     FIXTURE_DATA(features) *self, int row)
{
	const char *hook = table_text(&self->result, row, "hook");
	unsigned long long count = table_number(&self->result, row, "count");
	unsigned long long cs = table_number(&self->result, row, "cs_count");

	EXPECT_EQ(count, table_sum(&self->verdicts, hook, "count"))
		TH_LOG("verdicts: count of %s", hook);
	EXPECT_EQ(cs, table_sum(&self->verdicts, hook, "cs_count"))
		TH_LOG("verdicts: cs_count of %s", hook);
	expect_sums(_metadata, &self->verdicts, &self->syscalls, "syscalls", hook);
	EXPECT_EQ(count, table_sum(&self->histogram, hook, "count"))
		TH_LOG("histogram: count of %s", hook);
	EXPECT_EQ(count + cs - table_sum(&self->verdicts, hook, "unknown"),
		  table_sum(&self->histogram, hook, "own"))
		TH_LOG("histogram: own of %s", hook);
	EXPECT_EQ(count + cs, table_sum(&self->histogram, hook, "wall"))
		TH_LOG("histogram: wall of %s", hook);
	EXPECT_GE(table_sum(&self->verdicts, hook, "sum"),
		  table_sum(&self->modules, hook, "sum"))
		TH_LOG("modules: sum of %s", hook);
	EXPECT_GE(table_sum(&self->verdicts, hook, "cs_sum"),
		  table_sum(&self->modules, hook, "cs_sum"))
		TH_LOG("modules: cs_sum of %s", hook);
}

/* No call is longer than the parts of its time, nor shorter. */
static void expect_parts(struct __test_metadata *_metadata,
			 FIXTURE_DATA(features) *self, int row)
{
	const struct table *t = &self->verdicts;

	EXPECT_GE(table_number(t, row, "cs_sum"),
		  table_number(t, row, "cs_own") + table_number(t, row, "slept") +
		  table_number(t, row, "preempted"))
		TH_LOG("%s", table_text(t, row, "hook"));
	EXPECT_GE(table_number(t, row, "irq_sum"), table_number(t, row, "irq_time"))
		TH_LOG("%s", table_text(t, row, "hook"));
}

TEST_F_TIMEOUT(features, sums_equal_the_hooks_own, 300)
{
	int row;

	ASSERT_EQ(0, lsmmon_control(1));
	work_in_parallel();
	ASSERT_EQ(0, lsmmon_control(0));
	read_all(_metadata, self);
	EXPECT_LT(10000, table_total(&self->result, NULL));
	for (row = 0; row < self->result.rows; row++)
		expect_conserved(_metadata, self, row);
	for (row = 0; row < self->verdicts.rows; row++)
		expect_parts(_metadata, self, row);
	EXPECT_EQ(0, lsmmon_info("lost"));
}

/* Sums still agree after a feature is switched, since that resets all counters. */
TEST_F_TIMEOUT(features, sums_hold_after_switching, 300)
{
	size_t i;
	int row;

	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < FEATURES; i++) {
		use_files();
		ASSERT_EQ(0, lsmmon_feature(names[i], 0));
		use_files();
		ASSERT_EQ(0, lsmmon_feature(names[i], 1));
	}
	use_files();
	ASSERT_EQ(0, lsmmon_control(0));
	read_all(_metadata, self);
	EXPECT_LT(0, table_total(&self->result, "inode_rename"));
	for (row = 0; row < self->result.rows; row++)
		expect_conserved(_metadata, self, row);
}

#define N	1009

/* sethostname() calls capable() before it rejects the long name. */
TEST_F(features, callbacks_belong_to_their_modules)
{
	unsigned long long calls;
	int i;

	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < N; i++)
		EXPECT_EQ(-1, syscall(SYS_sethostname, "x", 1000));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->modules, "modules"));
	calls = table_calls(&self->modules, "capable", "module", "capability");
	EXPECT_LE(N, calls);
	EXPECT_GE(N + 10, calls);
}

TEST_HARNESS_MAIN
