// SPDX-License-Identifier: GPL-2.0-only
/* A file system whose files use a generic table. */
#include "../../object.h"

static int one_lookup(struct inode *dir) { return security_inode_permission(dir); }
static void one_evict(struct inode *inode) { security_inode_free(inode); }

static const struct inode_operations one_inode_operations = { .lookup = one_lookup };
static const struct super_operations one_super_operations = { .evict = one_evict };
struct file_system_type one_type = { .name = "one", .super = &one_super_operations };

void one_inode(struct inode *inode)
{
	inode->i_op = &one_inode_operations;
	if ((inode->i_mode & 0170000) == 0040000)
		inode->i_fop = &generic_directory_operations;
	else if ((inode->i_mode & 0170000) == 0100000)
		inode->i_fop = &generic_file_operations;
}

void one_mkdir(struct inode *inode)
{
	inode->i_fop = &generic_directory_operations;
}
