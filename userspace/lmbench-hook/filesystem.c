// SPDX-License-Identifier: GPL-2.0-only
/* The type of a file system, which affects file operations more than anything else. */

#include "filesystem.h"

#include <linux/magic.h>
#include <stdio.h>
#include <sys/vfs.h>

static const struct {
	unsigned int magic;
	const char *name;
} known[] = {
	{ TMPFS_MAGIC, "tmpfs" },
	{ EXT4_SUPER_MAGIC, "ext4" },
	{ XFS_SUPER_MAGIC, "xfs" },
	{ BTRFS_SUPER_MAGIC, "btrfs" },
	{ OVERLAYFS_SUPER_MAGIC, "overlayfs" },
	{ RAMFS_MAGIC, "ramfs" },
	{ V9FS_MAGIC, "9p" },
};

const char *filesystem_name(int fd)
{
	static char number[32];
	struct statfs space;

	if (fstatfs(fd, &space))
		return "unknown";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if ((unsigned int)space.f_type == known[i].magic)
			return known[i].name;
	snprintf(number, sizeof(number), "file system 0x%x", (unsigned int)space.f_type);
	return number;
}
