// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: a hook that sleeps is counted in cs_count
 *
 * IMA reads a whole file inside mmap_file. With cold caches it waits for the
 * disk there.
 */

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "../kselftest_harness.h"
#include "lsmmon.h"

#define FILES		20
#define ROUNDS		10
#define FILE_SIZE	(256 * 1024)

static void file_name(char *path, size_t size, int i)
{
	snprintf(path, size, "%s/lsmpmon-cold-%d", getenv("EXT4"), i);
}

static int make_file(int i)
{
	static char block[FILE_SIZE];
	char path[256];
	int fd, err = 0;

	memset(block, i, sizeof(block));
	file_name(path, sizeof(path), i);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		return -1;
	if (write(fd, block, sizeof(block)) != sizeof(block) || fsync(fd))
		err = -1;
	close(fd);
	return err;
}

static long switches(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) ? -1 : usage.ru_nvcsw + usage.ru_nivcsw;
}

/* 1 if this process was switched in between, 0 if not, -1 on failure. */
static int map_file(int i)
{
	long before;
	char path[256];
	void *page;
	int fd, switched;

	file_name(path, sizeof(path), i);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	before = switches();
	page = mmap(NULL, 1, PROT_EXEC, MAP_PRIVATE, fd, 0);
	switched = switches() != before;
	close(fd);
	if (page == MAP_FAILED)
		return -1;
	munmap(page, 1);
	return switched;
}

static int make_cold_files(void)
{
	int i;

	for (i = 0; i < FILES; i++)
		if (make_file(i))
			return -1;
	return write_file("/proc/sys/vm/drop_caches", "3");
}

/* Number of files with a switch, or -1. */
static int map_files(void)
{
	int i, one, switched = 0;

	for (i = 0; i < FILES; i++) {
		one = map_file(i);
		if (one < 0)
			return -1;
		switched += one;
	}
	return switched;
}

/* A disk in the host's memory may be as fast as memory: try several times. */
TEST(waiting_for_the_disk_is_a_switch)
{
	static struct result before, after;
	const struct hook *a, *b;
	int round, switched = 0, waited = 0;

	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	if (!getenv("EXT4"))
		SKIP(return, "no ext4 to work on: EXT4 is not set");
	if (write_file(IMA_POLICY, MEASURE_CODE_ON_EXT4))
		SKIP(return, "IMA takes no policy");

	for (round = 0; round < ROUNDS && !waited; round++) {
		ASSERT_EQ(0, make_cold_files());
		ASSERT_EQ(0, lsmmon_control(1));
		ASSERT_EQ(0, lsmmon_reset());
		ASSERT_EQ(0, lsmmon_result(&before));
		switched = map_files();
		ASSERT_EQ(0, lsmmon_result(&after));
		ASSERT_EQ(0, lsmmon_control(0));
		ASSERT_LE(0, switched);
		b = lsmmon_hook(&before, "mmap_file");
		a = lsmmon_hook(&after, "mmap_file");
		ASSERT_NE(NULL, a);
		EXPECT_EQ(FILES, calls(a) - calls(b));
		waited = a->cs_count - b->cs_count;
	}
	EXPECT_LT(0, waited);
	/* The process may also be switched just outside a span. */
	EXPECT_LE(waited, switched);
	TH_LOG("%d of %d files waited for the disk", waited, FILES);
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_HARNESS_MAIN
