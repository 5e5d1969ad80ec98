// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: a hook that sleeps is counted in cs_count
 *
 * IMA reads a whole file inside mmap_file. With cold caches it waits for the
 * disk there.
 */

#include <sys/mman.h>
#include <sys/stat.h>

#include "../kselftest_harness.h"
#include "lsmmon.h"

#define FILES		20
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

TEST(waiting_for_the_disk_is_a_switch)
{
	static struct result before, after;
	const struct hook *a, *b;
	char path[256];
	void *page;
	int i, fd;

	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	if (!getenv("EXT4"))
		SKIP(return, "no ext4 to work on: EXT4 is not set");
	if (write_file(IMA_POLICY, MEASURE_CODE_ON_EXT4))
		SKIP(return, "IMA takes no policy");

	for (i = 0; i < FILES; i++)
		ASSERT_EQ(0, make_file(i));
	ASSERT_EQ(0, write_file("/proc/sys/vm/drop_caches", "3"));
	ASSERT_EQ(0, lsmmon_control(1));
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_result(&before));
	for (i = 0; i < FILES; i++) {
		file_name(path, sizeof(path), i);
		fd = open(path, O_RDONLY);
		ASSERT_LE(0, fd);
		page = mmap(NULL, 1, PROT_EXEC, MAP_PRIVATE, fd, 0);
		ASSERT_NE(MAP_FAILED, page);
		munmap(page, 1);
		close(fd);
	}
	ASSERT_EQ(0, lsmmon_result(&after));
	ASSERT_EQ(0, lsmmon_control(0));

	b = lsmmon_hook(&before, "mmap_file");
	a = lsmmon_hook(&after, "mmap_file");
	ASSERT_NE(NULL, a);
	EXPECT_EQ(FILES, calls(a) - calls(b));
	EXPECT_LT(b->cs_count, a->cs_count);
	TH_LOG("%llu of %d files waited for the disk", a->cs_count, FILES);
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_HARNESS_MAIN
