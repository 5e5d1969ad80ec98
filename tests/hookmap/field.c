// SPDX-License-Identifier: GPL-2.0-only
/* A call through a field may run whatever is ever stored in that field, and nothing of another. */
#include "fake.h"

HOOK(inode_create)
HOOK(inode_mkdir)
HOOK(inode_rmdir)

struct operations {
	int (*create)(void *);
	int (*remove)(void *);
};

static int one(void *o) { return security_inode_create(o); }
static int two(void *o) { return security_inode_mkdir(o); }
static int other(void *o) { return security_inode_rmdir(o); }

const struct operations first = { .create = one, .remove = other };
struct operations second;

void setup(void)
{
	second.create = two;
}

long sys_create(const struct operations *ops, void *o)
{
	return ops->create(o);
}
