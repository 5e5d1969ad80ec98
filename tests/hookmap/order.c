// SPDX-License-Identifier: GPL-2.0-only
/* Must: on every path to a successful return, whatever errors there were on others. */
#include "fake.h"

HOOK(inode_permission)
HOOK(inode_rename)
HOOK(inode_setattr)
HOOK(path_rename)
HOOK(file_alloc)
HOOK(sb_statfs)

int outcome(void *o);

/* Through a common exit: only errors leave out the second. */
long sys_common_exit(void *o)
{
	int error = security_inode_permission(o);

	if (error)
		goto out;
	error = -22;
	if (!o)
		goto out;
	error = security_inode_rename(o);
out:
	return error;
}

/* A flag may leave it out. */
long sys_flag(void *o, int flags)
{
	if (flags & 0x100)
		return 0;
	return security_inode_setattr(o);
}

static __noinline void *allocate(void *o)
{
	int error;

	if (!o)
		return ERR_PTR(-12);
	error = security_file_alloc(o);
	if (error)
		return ERR_PTR(error);
	return o;
}

/* What a function calls if it succeeds counts where its value is found to be good. */
long sys_pointer(void *o)
{
	void *p = allocate(o);

	if (IS_ERR(p))
		return PTR_ERR(p);
	return 0;
}

/* And not where it is not looked at. */
long sys_ignored(void *o)
{
	allocate(o);
	return 0;
}

/* A positive value is success. */
long sys_positive(void *o)
{
	int error = outcome(o);

	if (error)
		return error;
	return security_path_rename(o);
}

/* One of two, either way: neither must. */
long sys_either(void *o, int which)
{
	return which ? security_inode_rename(o) : security_path_rename(o);
}

/* A branch on what was found out before. */
long sys_twice(void *o)
{
	int error = security_sb_statfs(o);

	if (!error)
		error = security_inode_permission(o);
	if (error < 0)
		return error;
	return 0;
}
