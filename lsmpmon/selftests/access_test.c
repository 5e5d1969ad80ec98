// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: who may open its files
 */

#define _GNU_SOURCE
#include <sched.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "lsmmon.h"

static const struct {
	const char *name;
	int flags;
} files[] = {
	{ LSMMON "control", O_RDONLY }, { LSMMON "control", O_WRONLY },
	{ LSMMON "reset", O_WRONLY }, { LSMMON "result", O_RDONLY },
	{ LSMMON "verdicts", O_RDONLY }, { LSMMON "info", O_RDONLY },
};

/* 0 if all files refuse to be opened with EPERM or EACCES. */
static int all_refuse(void)
{
	size_t i;
	int fd;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		fd = open(files[i].name, files[i].flags);
		if (fd >= 0 || (errno != EPERM && errno != EACCES))
			return 1;
	}
	return 0;
}

static int exit_status(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

FIXTURE(access)
{
};

FIXTURE_SETUP(access)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
}

FIXTURE_TEARDOWN(access)
{
}

TEST_F(access, root_may)
{
	size_t i;
	int fd;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		fd = open(files[i].name, files[i].flags);
		EXPECT_LE(0, fd);
		close(fd);
	}
}

TEST_F(access, nobody_may_not)
{
	pid_t child = fork();

	if (!child)
		_exit(setuid(65534) ? 2 : all_refuse());
	EXPECT_EQ(0, exit_status(child));
}

/* Root of a user namespace has every capability, over that namespace. */
static int refused_in_namespace(const char *map)
{
	if (unshare(CLONE_NEWUSER))
		return 2;
	if (write_file("/proc/self/setgroups", "deny") ||
	    write_file("/proc/self/uid_map", map) ||
	    write_file("/proc/self/gid_map", map))
		return 3;
	if (setresuid(0, 0, 0) || setresgid(0, 0, 0))
		return 4;
	return all_refuse();
}

TEST_F(access, root_of_a_user_namespace_may_not)
{
	pid_t child = fork();

	if (!child)
		_exit(refused_in_namespace("0 0 1"));
	EXPECT_EQ(0, exit_status(child));
}

TEST_HARNESS_MAIN
