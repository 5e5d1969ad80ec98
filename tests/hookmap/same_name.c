// SPDX-License-Identifier: GPL-2.0-only
/* Static functions of the same name are two: this one calls nothing. */
#include "fake.h"

HOOK(file_open)

static __noinline int open_it(void *o) { return o ? 0 : -2; }

long sys_other(void *o)
{
	return open_it(o);
}
