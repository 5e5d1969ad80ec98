// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: what may be written to control, and what it does
 */

#include <sys/stat.h>

#include "../kselftest_harness.h"
#include "directory.h"

FIXTURE(control)
{
	int was_on;
};

FIXTURE_SETUP(control)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	self->was_on = lsmmon_is_on();
	ASSERT_LE(0, self->was_on);
}

FIXTURE_TEARDOWN(control)
{
	lsmmon_control(self->was_on);
}

TEST_F(control, takes_one_and_zero)
{
	ASSERT_EQ(0, lsmmon_write("control", "1", 1));
	EXPECT_EQ(1, lsmmon_is_on());
	ASSERT_EQ(0, lsmmon_write("control", "0\n", 2));
	EXPECT_EQ(0, lsmmon_is_on());
	ASSERT_EQ(0, lsmmon_write("control", "1\n", 2));
	EXPECT_EQ(1, lsmmon_is_on());
}

static void expect_refused(struct __test_metadata *_metadata, const void *text,
			   size_t length)
{
	int on;

	for (on = 0; on < 2; on++) {
		ASSERT_EQ(0, lsmmon_control(on));
		EXPECT_EQ(-EINVAL, lsmmon_write("control", text, length));
		EXPECT_EQ(on, lsmmon_is_on());
	}
}

TEST_F(control, refuses_anything_else)
{
	static const struct {
		const char *text;
		size_t length;
	} bad[] = {
		{ "2", 1 }, { "", 0 }, { "\n", 1 }, { "10", 2 }, { "01", 2 },
		{ "1\n1", 3 }, { "0\n1\n", 4 }, { "\n1", 2 }, { " 1", 2 },
		{ "1 ", 2 }, { "-1", 2 }, { "+1", 2 }, { "0x1", 3 },
		{ "yes", 3 }, { "1\0", 2 }, { "\0" "1", 2 }, { "\xff\xfe", 2 },
		{ "\x7f" "ELF\x02\x01\x01", 7 },
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		expect_refused(_metadata, bad[i].text, bad[i].length);
}

TEST_F(control, refuses_a_mebibyte_of_garbage)
{
	const size_t length = 1 << 20;
	unsigned char *garbage = malloc(length);
	unsigned int seed = 1;
	size_t i;

	ASSERT_NE(NULL, garbage);
	for (i = 0; i < length; i++)
		garbage[i] = rand_r(&seed);
	expect_refused(_metadata, garbage, length);
	memset(garbage, '1', length);
	expect_refused(_metadata, garbage, length);
	free(garbage);
}

TEST_F(control, gives_efault_for_a_bad_address)
{
	void *volatile nowhere = (void *)1;	/* volatile: hidden from the compiler */
	int fd = open(LSMMON "control", O_WRONLY);

	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, write(fd, nowhere, 1));
	EXPECT_EQ(EFAULT, errno);
	close(fd);
	EXPECT_EQ(self->was_on, lsmmon_is_on());
}

static mode_t documented_mode(const char *path)
{
	static const char *const written[] = {
		LSMMON "control", LSMMON "features", LSMMON "filter",
		LSMMON "session",
	};
	size_t i;

	for (i = 0; i < sizeof(written) / sizeof(*written); i++)
		if (!strcmp(path, written[i]))
			return 0600;
	return strcmp(path, LSMMON "reset") ? 0400 : 0200;
}

TEST_F(control, has_the_documented_modes)
{
	static struct directory directory;
	struct stat st;
	int i;

	ASSERT_EQ(0, directory_read(&directory));
	for (i = 0; i < directory.files; i++) {
		const char *path = directory.file[i].path;

		EXPECT_EQ(documented_mode(path), directory.file[i].mode)
			TH_LOG("%s", path);
		ASSERT_EQ(0, stat(path, &st));
		EXPECT_EQ(0, st.st_uid);
	}
}

TEST_F(control, any_write_resets)
{
	struct result r;
	struct stat st;
	int i;

	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < 1000; i++)
		stat("/", &st);
	ASSERT_EQ(0, lsmmon_write("reset", "anything", 8));
	ASSERT_EQ(0, lsmmon_result(&r));
	EXPECT_GT(10, calls(lsmmon_hook(&r, "inode_getattr")));
	EXPECT_EQ(0, lsmmon_info("lost"));
	EXPECT_EQ(1, lsmmon_is_on());
}

TEST_F(control, stands_still_while_off)
{
	static struct result before, after;
	struct stat st;
	int i;

	ASSERT_EQ(0, lsmmon_control(1));
	stat("/", &st);
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_result(&before));
	for (i = 0; i < 1000; i++)
		stat("/", &st);
	ASSERT_EQ(0, lsmmon_result(&after));
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
}

TEST_HARNESS_MAIN
