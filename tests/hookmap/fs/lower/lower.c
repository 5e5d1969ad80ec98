// SPDX-License-Identifier: GPL-2.0-only
/* The lower file system. */
#include "../../object.h"

static int lower_open(struct inode *inode, struct file *file) { return security_inode_getattr(file); }
static int lower_read(struct file *file) { return security_file_permission(file); }

int lower_flush(struct file *file) { return security_inode_free(file); }

const struct file_operations lower_file_operations = { .open = lower_open, .read = lower_read };
struct file_system_type lower_type = { .name = "lower" };

void lower_inode(struct inode *inode)
{
	inode->i_fop = &lower_file_operations;
}
