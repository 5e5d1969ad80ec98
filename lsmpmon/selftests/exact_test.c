// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: N system calls give N times their hook calls
 *
 * All hooks are compared, not only the expected ones. Hook calls of resetting
 * and reading are measured around nothing and subtracted.
 */

#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "../kselftest_harness.h"
#include "lsmmon.h"

/* Number of calls of each kind; LSMMON_CALLS in the environment overrides it. */
#define CALLS	"100003"

/* The test's tmpfs: the file is four directories below the root. */
#define MOUNT	"/tmp/lsmpmon-exact"
#define FILE_AT	MOUNT "/a/file"
#define DEPTH	4

FIXTURE(exact)
{
	int was_on;
	int fd;
	int n;
	struct result nothing, work;
};

FIXTURE_SETUP(exact)
{
	int fd;

	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	self->n = atoi(getenv("LSMMON_CALLS") ?: CALLS);
	ASSERT_LT(0, self->n);
	self->was_on = lsmmon_is_on();
	ASSERT_LE(0, self->was_on);
	ASSERT_FALSE(mkdir(MOUNT, 0700) && errno != EEXIST);
	ASSERT_EQ(0, mount("exact", MOUNT, "tmpfs", 0, NULL));
	ASSERT_EQ(0, mkdir(MOUNT "/a", 0700));
	fd = open(FILE_AT, O_RDWR | O_CREAT, 0600);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, write(fd, "x", 1));
	self->fd = fd;
	ASSERT_EQ(0, lsmmon_control(1));
}

FIXTURE_TEARDOWN(exact)
{
	lsmmon_control(self->was_on);
	close(self->fd);
	umount(MOUNT);
	rmdir(MOUNT);
}

static int do_stat(int fd)
{
	struct stat st;

	return stat(FILE_AT, &st);
}

static int do_open_close(int fd)
{
	fd = open(FILE_AT, O_RDONLY);
	return fd < 0 ? -1 : close(fd);
}

static int do_read(int fd)
{
	char byte;

	return pread(fd, &byte, 1, 0) == 1 ? 0 : -1;
}

/* Make a call @n times between a reset and a read. */
static int count_hooks(int (*call)(int fd), int fd, int n,
		       struct result *result)
{
	if (lsmmon_reset())
		return -1;
	while (n--)
		if (call(fd))
			return -1;
	return lsmmon_result(result);
}

/* IMA makes its directory when it is initialised. */
static int has_ima(void)
{
	return !access("/sys/kernel/security/ima", F_OK);
}

struct expected {
	const char *hook;
	int calls;
};

static int times(const struct expected *e, const char *name)
{
	for (; e->hook; e++)
		if (!strcmp(e->hook, name))
			return e->calls;
	return 0;
}

/* Number of hooks not called as expected; prints each. */
static int surprises(struct __test_metadata *_metadata,
		     const FIXTURE_DATA(exact) *self,
		     const struct expected *expected)
{
	int i, differences = 0;

	for (i = 0; i < self->work.hooks; i++) {
		const struct hook *h = &self->work.hook[i];
		long long made = calls(h) - calls(&self->nothing.hook[i]);
		long long wanted = (long long)self->n * times(expected, h->name);

		if (made == wanted)
			continue;
		TH_LOG("%s: %lld calls instead of %lld", h->name, made, wanted);
		differences++;
	}
	return differences;
}

/*
 * A kernel worker that ends in the meantime calls a hook of its own, which is
 * rightly counted: then try again.
 */
static void expect_calls(struct __test_metadata *_metadata,
			 FIXTURE_DATA(exact) *self, int (*call)(int fd),
			 const struct expected *expected)
{
	int tries = 3;

	do {
		/* Once unmeasured, to fill all caches. */
		ASSERT_EQ(0, count_hooks(call, self->fd, 1, &self->nothing));
		ASSERT_EQ(0, count_hooks(call, self->fd, 0, &self->nothing));
		ASSERT_EQ(0, count_hooks(call, self->fd, self->n, &self->work));
		ASSERT_LT(200, self->work.hooks);
	} while (surprises(_metadata, self, expected) && --tries);
	EXPECT_LT(0, tries);
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_F_TIMEOUT(exact, stat, 300)
{
	static const struct expected expected[] = {
		{ "inode_permission", DEPTH },
		{ "inode_getattr", 1 },
		{}
	};

	expect_calls(_metadata, self, do_stat, expected);
}

TEST_F_TIMEOUT(exact, open_close, 300)
{
	const struct expected expected[] = {
		{ "inode_permission", DEPTH + 1 },
		{ "file_alloc_security", 1 },
		{ "file_open", 1 },
		{ "file_post_open", 1 },
		{ "file_release", 1 },
		{ "file_free_security", 1 },
		/* IMA gets the subject in file_post_open; since 6.13: */
		{ "current_getlsmprop_subj", has_ima() },
		{ "current_getsecid_subj", has_ima() },
		/* Linux 5.15: */
		{ "task_getsecid_subj", has_ima() },
		{}
	};

	expect_calls(_metadata, self, do_open_close, expected);
}

TEST_F_TIMEOUT(exact, read, 300)
{
	static const struct expected expected[] = {
		{ "file_permission", 1 },
		{}
	};

	expect_calls(_metadata, self, do_read, expected);
}

TEST_HARNESS_MAIN
