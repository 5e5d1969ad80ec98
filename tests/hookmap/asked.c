// SPDX-License-Identifier: GPL-2.0-only
/* A must has conditions where a function answers a question, and where two values may be one. */
#include "fake.h"

HOOK(inode_rename)
HOOK(vm_enough_memory)

struct dentry {
	void *d_inode;
};

_Bool vma_test(void *vma, int bit);

static __noinline int insert_vm_struct(void *vma)
{
	if (vma_test(vma, 20) && security_vm_enough_memory(vma))
		return -12;
	return 0;
}

static __noinline int vfs_rename(struct dentry *from, struct dentry *to)
{
	void *source = from->d_inode, *target = to->d_inode;

	if (source == target)
		return 0;
	return security_inode_rename(source);
}

long sys_execve(void *vma)
{
	return insert_vm_struct(vma);
}

long sys_rename(struct dentry *from, struct dentry *to)
{
	return vfs_rename(from, to);
}
