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
HOOK(inode_readlink)
HOOK(inode_free)

int vfs_read(struct file *file);

__noinline int vfs_read(struct file *file)
{
	return file->f_op->read(file);
}

long sys_open(struct inode *inode, struct file *file)
{
	return file->f_op->open(inode, file);
}

/* As indirect_call_wrapper.h does it: the function that is expected is called by its name. */
int over_flush(struct file *file);
int lower_flush(struct file *file);

long sys_close(struct file *file)
{
	int (*read)(struct file *file) = file->f_op->read;

	if (read == lower_flush)
		return lower_flush(file);
	return read == over_flush ? over_flush(file) : read(file);
}

long sys_read(struct file *file)
{
	return vfs_read(file);
}
