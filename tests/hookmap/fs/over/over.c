// SPDX-License-Identifier: GPL-2.0-only
/* The upper file system: it reads the lower file when a file is opened, and has no lower one of its own. */
#include "../../object.h"

int vfs_read(struct file *file);

static int over_open(struct inode *inode, struct file *file)
{
	return security_file_open(file) ? : vfs_read(file + 1);
}

static int over_read(struct file *file)
{
	return security_inode_permission(file) ? : vfs_read(file + 1);
}

int over_flush(struct file *file) { return security_inode_readlink(file); }

const struct file_operations over_file_operations = { .open = over_open, .read = over_read };
struct file_system_type over_type = { .name = "over" };

void over_inode(struct inode *inode)
{
	inode->i_fop = &over_file_operations;
}
