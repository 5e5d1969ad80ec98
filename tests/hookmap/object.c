// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call on an object of one file system runs what that file system's tables
 * have: what its code names, and for a file that is known as one by its type,
 * no table of directories. Records that no file system has may be anybody's.
 */
#include "object.h"

HOOK(file_open)
HOOK(inode_permission)
HOOK(file_permission)
HOOK(inode_getattr)
HOOK(inode_free)
HOOK(inode_readlink)
HOOK(capable)
HOOK(sb_statfs)
HOOK(sb_kern_mount)

static int generic_read(struct file *file) { return security_file_permission(file); }
static int generic_directory_read(struct file *file) { return security_inode_readlink(file); }
static int device_transfer(struct inode *inode) { return security_capable(inode); }

const struct file_operations generic_file_operations = { .read = generic_read };
const struct file_operations generic_directory_operations = { .read = generic_directory_read };

/* A device's table is in no folder of a file system's, so no file system's object has it. */
static int device_open(struct inode *inode, struct file *file) { return security_sb_statfs(file); }
const struct file_operations device_file_operations = { .open = device_open };
const struct device_operations device_operations = { .transfer = device_transfer };

/* As a device whose table is made of another's. */
static int made_open(struct inode *inode, struct file *file) { return security_sb_kern_mount(file); }
static struct file_operations made_file_operations;

void device_init(void)
{
	made_file_operations = device_file_operations;
	made_file_operations.open = made_open;
}

/* What a table has is called through another record, or unless the caller has something else. */
struct work {
	void (*end)(struct inode *inode);
};

static __noinline int do_open(struct file *file, int (*open)(struct inode *inode, struct file *file))
{
	if (!open)
		open = file->f_op->open;
	return open(file->inode, file);
}

long sys_creat(struct file *file)
{
	return do_open(file, 0);
}

long sys_unlink(struct file *file, struct work *work)
{
	work->end = file->inode->s_op->evict;
	work->end(file->inode);
	return 0;
}

long sys_open(struct inode *dir, struct file *file)
{
	int error = dir->i_op->lookup(dir);

	if (error)
		return error;
	return file->f_op->open(file->inode, file);
}

long sys_read(struct file *file)
{
	return file->f_op->read(file);
}

long sys_close(struct file *file)
{
	file->inode->s_op->evict(file->inode);
	return 0;
}

/* The first file system has no such operation, so what it returned would be is not asked there. */
long sys_stat(struct inode *inode)
{
	int error = inode->i_op->permission ? inode->i_op->permission(inode) : 0;

	return error > 0 ? 0 : security_inode_getattr(inode);
}

long sys_fsync(struct file *file)
{
	return file->inode->device->transfer(file->inode);
}
