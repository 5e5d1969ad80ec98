// SPDX-License-Identifier: GPL-2.0-only
/* An alias runs the code of the function that it stands for. */
#include "fake.h"

HOOK(mmap_file)

long __se_sys_mmap(void *o) { return security_mmap_file(o); }
long do_mmap_alias(void *o) __attribute__((alias("__se_sys_mmap")));

long sys_mmap(void *o)
{
	return do_mmap_alias(o);
}
