// SPDX-License-Identifier: GPL-2.0-only
/* A table that a call passes is the one that the walk uses, though it is kept in a record on the way. */
#include "fake.h"

HOOK(vm_enough_memory)
HOOK(file_mprotect)
HOOK(mmap_addr)

struct mm_walk_ops {
	int (*entry)(void *o);
	int (*test)(void *o);
};

struct mm_walk {
	const struct mm_walk_ops *ops;
	void *o;
};

static int protect(void *o) { return security_file_mprotect(o); }
static int advise(void *o) { return security_vm_enough_memory(o); }
static int test(void *o) { return security_mmap_addr(o); }

static const struct mm_walk_ops protect_ops = { .entry = protect };
static const struct mm_walk_ops advise_ops = { .entry = advise, .test = test };

static __noinline int walk_range(struct mm_walk *walk)
{
	const struct mm_walk_ops *ops = walk->ops;

	if (ops->test && ops->test(walk->o))
		return 0;
	return ops->entry(walk->o);
}

static __noinline int walk_page_range(const struct mm_walk_ops *ops, void *o)
{
	struct mm_walk walk = { .ops = ops, .o = o };

	return walk_range(&walk);
}

long sys_mprotect(void *o)
{
	return walk_page_range(&protect_ops, o);
}

long sys_madvise(void *o)
{
	return walk_page_range(&advise_ops, o);
}
