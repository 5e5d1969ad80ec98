// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: what a process switches on ends with it
 */

#define _GNU_SOURCE
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "../kselftest_harness.h"
#include "process.h"

#define SESSION	LSMMON "session"
#define STATE	16384

struct state {
	char control[16], features[512], filter[STATE];
};

/* Zero if all can be read. */
static int read_state(struct state *state)
{
	memset(state, 0, sizeof(*state));
	return read_text(LSMMON "control", state->control, sizeof(state->control)) ||
	       read_text(LSMMON "features", state->features,
			 sizeof(state->features)) ||
	       read_text(LSMMON "filter", state->filter, sizeof(state->filter));
}

static int filter(const char *line)
{
	return lsmmon_write("filter", line, strlen(line));
}

static int feature(const char *line)
{
	return lsmmon_write("features", line, strlen(line));
}

/* Something other than the defaults, with what needs memory and tracepoints. */
static int set_odd_state(void)
{
	return feature("module 1") || feature("timed 4") ||
	       (!access(LSMMON "calls", F_OK) && feature("calls 1")) ||
	       filter("s lsmpmon-odd*") || filter("o /tmp/lsmpmon odd") ||
	       filter("p 1") || lsmmon_control(1);
}

static int set_default_state(void)
{
	return lsmmon_control(0) || feature("module 0") || feature("timed 1") ||
	       (!access(LSMMON "calls", F_OK) && feature("calls 0")) ||
	       feature("histogram 0") || feature("syscall 0") || filter("s") ||
	       filter("o") || filter("p");
}

static int filter_by_self(void)
{
	char line[32];

	snprintf(line, sizeof(line), "p %d", getpid());
	return filter(line);
}

/* Change everything that a session restores. */
static int change_all(int on)
{
	return lsmmon_control(on) || feature("module 0") || feature("timed 16") ||
	       (!access(LSMMON "calls", F_OK) && feature("calls 0")) ||
	       feature("histogram 1") || feature("syscall 1") ||
	       filter("s") || filter("s other") || filter("o") ||
	       filter("o other") || filter("p") || filter_by_self();
}

FIXTURE(session)
{
	struct state before;
};

FIXTURE_VARIANT(session)
{
	int odd;
};

FIXTURE_VARIANT_ADD(session, off)
{
	.odd = 0,
};

FIXTURE_VARIANT_ADD(session, on)
{
	.odd = 1,
};

FIXTURE_SETUP(session)
{
	if (access(SESSION, F_OK))
		SKIP(return, "no " SESSION);
	ASSERT_EQ(0, set_default_state());
	if (variant->odd)
		ASSERT_EQ(0, set_odd_state());
	ASSERT_EQ(0, read_state(&self->before));
}

FIXTURE_TEARDOWN(session)
{
	set_default_state();
}

static void expect_restored(struct __test_metadata *_metadata,
			    const struct state *before)
{
	static struct state after;

	ASSERT_EQ(0, read_state(&after));
	EXPECT_STREQ(before->control, after.control);
	EXPECT_STREQ(before->features, after.features);
	EXPECT_STREQ(before->filter, after.filter);
}

static void expect_holder(struct __test_metadata *_metadata, const char *text)
{
	char seen[128] = "";

	ASSERT_EQ(0, read_text(SESSION, seen, sizeof(seen)));
	EXPECT_STREQ(text, seen);
}

TEST_F(session, ends_with_its_file)
{
	int on, fd, other;

	for (on = 0; on < 2; on++) {
		fd = open(SESSION, on ? O_RDWR : O_WRONLY);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, change_all(on));
		other = dup(fd);
		ASSERT_LE(0, other);
		close(fd);
		EXPECT_EQ(on, lsmmon_is_on());
		close(other);
		expect_restored(_metadata, &self->before);
	}
}

TEST_F(session, tells_who_has_it)
{
	char text[64];
	int fd;

	expect_holder(_metadata, "-\n");
	prctl(PR_SET_NAME, "odd\n name");
	fd = open(SESSION, O_WRONLY);
	ASSERT_LE(0, fd);
	snprintf(text, sizeof(text), "%d odd\\012\\040name\n", getpid());
	expect_holder(_metadata, text);
	close(fd);
	expect_holder(_metadata, "-\n");
}

/* 0 if writes by other processes fail with EBUSY, else the number of the wrong one. */
static int others_are_refused(void)
{
	int fd = open(SESSION, O_RDWR);

	if (fd >= 0 || errno != EBUSY)
		return 1;
	if (lsmmon_write("control", "0", 1) != -EBUSY ||
	    lsmmon_write("control", "1", 1) != -EBUSY)
		return 2;
	if (feature("histogram 1") != -EBUSY || feature("timed 2") != -EBUSY)
		return 3;
	if (filter("s x") != -EBUSY || filter("s") != -EBUSY ||
	    filter("o x") != -EBUSY || filter("o /x/y") != -EBUSY ||
	    filter("o") != -EBUSY || filter("p 1") != -EBUSY ||
	    filter("p 1 exec") != -EBUSY || filter("p") != -EBUSY)
		return 4;
	if (lsmmon_reset() != -EBUSY)
		return 5;
	/* Invalid input still fails with EINVAL. */
	if (filter("x") != -EINVAL || lsmmon_write("control", "2", 1) != -EINVAL)
		return 6;
	fd = open(SESSION, O_RDONLY);
	return fd < 0 ? 7 : 0;
}

static int in_child(int (*work)(void))
{
	pid_t child = fork();

	if (!child)
		_exit(work());
	return exit_status(child);
}

TEST_F(session, leaves_others_out)
{
	int fd = open(SESSION, O_RDWR);

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, in_child(others_are_refused));
	expect_restored(_metadata, &self->before);
	EXPECT_EQ(-1, open(SESSION, O_WRONLY));
	EXPECT_EQ(EBUSY, errno);
	EXPECT_EQ(0, change_all(1));
	close(fd);
	expect_restored(_metadata, &self->before);
}

static int takes_and_changes(void)
{
	return open(SESSION, O_WRONLY) < 0 || change_all(1);
}

/* A child that has a session with everything else, and waits. */
static pid_t begin_in_child(void)
{
	int ready[2];
	pid_t child;
	char byte;

	if (pipe(ready))
		return -1;
	child = fork();
	if (!child) {
		signal(SIGALRM, SIG_DFL);
		if (takes_and_changes() || write(ready[1], "r", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		child = -1;
	close(ready[0]);
	return child;
}

TEST_F(session, ends_with_its_process)
{
	const int signals[] = {
		SIGKILL, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGHUP, SIGQUIT,
		SIGSEGV, SIGBUS, SIGXCPU, SIGPROF, SIGSYS, SIGRTMAX,
	};
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		pid_t child = begin_in_child();

		ASSERT_LT(0, child);
		EXPECT_EQ(1, lsmmon_is_on());
		ASSERT_EQ(0, kill(child, signals[i]));
		EXPECT_EQ(child, waitpid(child, NULL, 0));
		expect_restored(_metadata, &self->before);
		expect_holder(_metadata, "-\n");
	}
	EXPECT_EQ(0, in_child(takes_and_changes));
	expect_restored(_metadata, &self->before);
}

static int executes(void)
{
	int fd = open(SESSION, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || change_all(1))
		return 1;
	execl("/bin/sh", "sh", "-c", "read -r who <" SESSION "; [ \"$who\" = - ]",
	      NULL);
	return 2;
}

TEST_F(session, ends_with_a_program_that_does_not_inherit_it)
{
	EXPECT_EQ(0, in_child(executes));
	expect_restored(_metadata, &self->before);
}

/* A process that inherits the descriptor keeps the session, but is not its holder. */
TEST_F(session, is_kept_open_by_who_inherits_it)
{
	int gate[2], fd;
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(gate));
	fd = open(SESSION, O_WRONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, change_all(1));
	child = fork();
	if (!child) {
		int refused;

		close(gate[1]);
		refused = others_are_refused();
		_exit(read(gate[0], &byte, 1) || refused);
	}
	close(fd);
	EXPECT_EQ(1, lsmmon_is_on());
	EXPECT_EQ(-1, open(SESSION, O_WRONLY));
	EXPECT_EQ(EBUSY, errno);
	close(gate[1]);
	EXPECT_EQ(0, exit_status(child));
	close(gate[0]);
	expect_restored(_metadata, &self->before);
}

/* Counters can be read after the session if no feature has changed. */
TEST_F(session, leaves_the_counters)
{
	struct result result;
	struct stat st;
	int i, fd;

	if (variant->odd)
		SKIP(return, "its filter has other calls");
	fd = open(SESSION, O_WRONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < 100; i++)
		stat("/", &st);
	close(fd);
	EXPECT_EQ(0, lsmmon_is_on());
	ASSERT_EQ(0, lsmmon_result(&result));
	EXPECT_LE(100, calls(lsmmon_hook(&result, "inode_getattr")));
}

/* Tasks that were selected before the session are selected after it. */
TEST_F(session, restores_who_is_selected)
{
	struct result result;
	struct stat st;
	int i, fd;

	ASSERT_EQ(0, set_default_state());
	ASSERT_EQ(0, filter_by_self());
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_control(1));
	fd = open(SESSION, O_WRONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, filter("p 1"));
	for (i = 0; i < 100; i++)
		stat("/", &st);
	close(fd);
	for (i = 0; i < 70; i++)
		stat("/", &st);
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_result(&result));
	EXPECT_EQ(70, calls(lsmmon_hook(&result, "inode_getattr")));
}

/* Programs that were awaited before the session are selected, too. */
TEST_F(session, restores_who_is_awaited)
{
	int gate[2], fd;
	char line[32], byte;
	struct result result;
	pid_t child;

	ASSERT_EQ(0, set_default_state());
	ASSERT_EQ(0, pipe(gate));
	child = fork();
	if (!child) {
		close(gate[1]);
		if (read(gate[0], &byte, 1) == 1)
			execl("/bin/true", "true", NULL);
		_exit(9);
	}
	snprintf(line, sizeof(line), "p %d exec", child);
	ASSERT_EQ(0, filter(line));
	fd = open(SESSION, O_WRONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, filter("p 1"));
	ASSERT_EQ(0, filter("p 1 exec"));
	close(fd);
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_control(1));
	ASSERT_EQ(1, write(gate[1], "g", 1));
	EXPECT_EQ(0, exit_status(child));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_result(&result));
	EXPECT_LT(0, calls(lsmmon_hook(&result, "mmap_file")));
	EXPECT_EQ(0, calls(lsmmon_hook(&result, "bprm_check_security")));
}

TEST_HARNESS_MAIN
