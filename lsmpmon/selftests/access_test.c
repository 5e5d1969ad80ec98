// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: who may open its files
 */

#define _GNU_SOURCE
#include "../kselftest_harness.h"
#include "process.h"

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

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (!refuses(files[i].name, files[i].flags))
			return 1;
	return 0;
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
	EXPECT_EQ(0, as_nobody(all_refuse));
}

TEST_F(access, root_of_a_user_namespace_may_not)
{
	EXPECT_EQ(0, as_root_of_namespace(all_refuse));
}

TEST_HARNESS_MAIN
