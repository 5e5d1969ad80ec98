// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: who may open its files
 *
 * All files of the directory are tried.  File modes refuse with EACCES; where they
 * allow access, the monitor refuses with EPERM.
 */

#define _GNU_SOURCE
#include <linux/capability.h>
#include <sys/syscall.h>

#include "../kselftest_harness.h"
#include "directory.h"
#include "process.h"

#define LOCKDOWN	"/sys/kernel/security/lockdown"

static struct directory directory;

static int is_locked_down(void)
{
	char text[128] = "";

	return !read_text(LOCKDOWN, text, sizeof(text)) &&
	       strstr(text, "[confidentiality]");
}

FIXTURE(access)
{
};

FIXTURE_SETUP(access)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	ASSERT_EQ(0, directory_read(&directory));
	ASSERT_LT(10, directory.files);
}

FIXTURE_TEARDOWN(access)
{
	directory_restore(&directory);
}

/* Exit statuses have eight bits. */
static int monitor_refuses(void)
{
	return !!directory_others_than(&directory, EPERM);
}

static int modes_refuse(void)
{
	return !!directory_others_than(&directory, EACCES);
}

TEST_F(access, root_may)
{
	int i, fd;

	if (is_locked_down())
		SKIP(return, "lockdown closes all files");
	for (i = 0; i < directory.files; i++) {
		const mode_t mode = directory.file[i].mode;

		fd = open(directory.file[i].path, !(mode & 0400) ? O_WRONLY :
			  mode & 0200 ? O_RDWR : O_RDONLY);
		EXPECT_LE(0, fd)
			TH_LOG("%s: %m", directory.file[i].path);
		close(fd);
	}
}

TEST_F(access, nobody_may_not)
{
	EXPECT_EQ(0, as_nobody(modes_refuse));
	ASSERT_EQ(0, directory_let_all(&directory));
	EXPECT_EQ(0, as_nobody(monitor_refuses));
}

/* Root of a user namespace that maps uid 0 to itself owns the files. */
TEST_F(access, root_of_a_user_namespace_may_not)
{
	ASSERT_EQ(0, directory_let_all(&directory));
	EXPECT_EQ(0, as_root_of_namespace(monitor_refuses));
}

/* 0 if all files refuse with EPERM a task that can pass any mode. */
static int refuse_without_capability(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return 2;
	data[0].effective &= ~(1U << CAP_SYS_ADMIN);
	if (!(data[0].effective & 1U << CAP_DAC_OVERRIDE) ||
	    syscall(SYS_capset, &header, data))
		return 3;
	return monitor_refuses();
}

TEST_F(access, root_without_its_capability_may_not)
{
	pid_t child = fork();

	if (!child)
		_exit(refuse_without_capability());
	EXPECT_EQ(0, exit_status(child));
}

/* Lockdown lasts until the next boot, so this test does not enable it. */
TEST_F(access, root_may_not_under_lockdown)
{
	if (!is_locked_down())
		SKIP(return, "no lockdown in confidentiality mode");
	EXPECT_EQ(0, monitor_refuses());
}

TEST_HARNESS_MAIN
