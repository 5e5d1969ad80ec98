// SPDX-License-Identifier: GPL-2.0-only
/*
 * Without trampolines, a static call goes through its key, and runs what that has, not
 * what other keys have.  That of a hook runs the callbacks of modules.
 */
#include "fake.h"

HOOK(mmap_file)
HOOK(mmap_addr)
HOOK(file_lock)

struct static_call_key {
	void *func;
};

#define static_call(name)	((int (*)(void *))__SCK__##name.func)

static int one(void *o) { return security_mmap_file(o); }
static int other(void *o) { return security_mmap_addr(o); }
static int callback(void *o) { return security_file_lock(o); }

struct static_call_key __SCK__one = { .func = one };
struct static_call_key __SCK__other = { .func = other };

union security_list_options {
	int (*file_open)(void *o);
};

union security_list_options module_hook = { .file_open = callback };

struct static_key security_hook_active_file_open_0;
extern struct static_call_key __SCK__lsm_static_call_file_open_0;

__noinline int security_file_open(void *o)
{
	if (arch_static_branch(&security_hook_active_file_open_0, 0))
		return static_call(lsm_static_call_file_open_0)(o);
	return 0;
}

long sys_mmap(void *o)
{
	return static_call(one)(o);
}

long sys_open(void *o)
{
	return security_file_open(o);
}
