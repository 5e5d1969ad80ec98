// SPDX-License-Identifier: GPL-2.0-only
/* What asks for a bit of zero, or for a pointer that is NULL, is not done; a NULL callback is not called. */
#include "fake.h"

HOOK(task_alloc)
HOOK(sb_mount)
HOOK(socket_create)
HOOK(file_open)
HOOK(inode_create)

struct operations {
	int (*open)(void *o);
};

static int table_open(void *o) { return security_file_open(o); }
static int other_open(void *o) { return security_inode_create(o); }
static const struct operations table = { .open = table_open };

static __noinline int copy_net(unsigned long flags, void *o)
{
	if (!(flags & 0x40000000))
		return 0;
	return security_socket_create(o);
}

static __noinline int copy(unsigned long flags, void *mount, void *o)
{
	int error = copy_net(flags, o);

	if (!error && mount)
		error = security_sb_mount(mount);
	return error;
}

/* What is given is opened, or else what the object has. */
static __noinline int do_open(const struct operations *ops, int (*open)(void *o), void *o)
{
	if (!open)
		open = ops->open;
	return open(o);
}

long sys_clone(unsigned long flags, void *mount, void *o)
{
	int error = security_task_alloc(o);

	return error ? error : copy(flags, mount, o);
}

long sys_exec(void *o)
{
	return copy(0, 0, o);
}

long sys_open(const struct operations *ops, void *o)
{
	return do_open(ops, 0, o);
}

long sys_creat(void *o)
{
	return do_open(&table, other_open, o);
}
