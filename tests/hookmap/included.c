// SPDX-License-Identifier: GPL-2.0-only
/* A source file that another one includes: each has its own of what is static in it. */
#include "fake.h"

#ifndef LOADED
#define LOADED native
#define ENTRY sys_execve
HOOK(bprm_check_security)
HOOK(file_open)
#else
int security_file_open(void *object);
#endif

#define native 1

static __noinline int load(void *o)
{
#if LOADED == native
	return security_bprm_check_security(o);
#else
	return security_file_open(o);
#endif
}

long ENTRY(void *o)
{
	return load(o);
}
