// SPDX-License-Identifier: GPL-2.0-only
/* A function that is given as an argument is bound to the call that gives it. */
#include "fake.h"

HOOK(file_lock)
HOOK(file_ioctl)

static int locks(void *o) { return security_file_lock(o); }
static int controls(void *o) { return security_file_ioctl(o); }

static __noinline int each(void *o, int (*what)(void *))
{
	return what(o);
}

static __noinline int all(void *o, int (*what)(void *))
{
	return each(o, what);
}

long sys_flock(void *o)
{
	return all(o, locks);
}

long sys_ioctl(void *o)
{
	return all(o, controls);
}
