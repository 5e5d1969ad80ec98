// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file system that makes calls on files of another one: what its own code
 * calls outside of it is done on these.
 */
#include "object.h"

HOOK(file_open)
HOOK(file_permission)
HOOK(inode_getattr)
HOOK(inode_permission)

int vfs_read(struct file *file);

__noinline int vfs_read(struct file *file)
{
	return file->f_op->read(file);
}

long sys_open(struct inode *inode, struct file *file)
{
	return file->f_op->open(inode, file);
}

long sys_read(struct file *file)
{
	return vfs_read(file);
}
