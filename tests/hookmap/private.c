// SPDX-License-Identifier: GPL-2.0-only
/* Objects of the kernel's own are left out of hooks: a must that is one for all others says so. */
#include "fake.h"

HOOK(inode_getattr)
HOOK(inode_rmdir)

struct inode {
	unsigned int i_flags;
};

#define IS_PRIVATE(inode) ((inode)->i_flags & 512)
#define IS_OTHER(inode) ((inode)->i_flags & 1024)

static __noinline int unless_private(struct inode *inode)
{
	if (unlikely(IS_PRIVATE(inode)))
		return 0;
	return security_inode_getattr(inode);
}

long sys_private(struct inode *inode)
{
	return unless_private(inode);
}

long sys_other_flag(struct inode *inode)
{
	if (unlikely(IS_OTHER(inode)))
		return 0;
	return security_inode_rmdir(inode);
}
