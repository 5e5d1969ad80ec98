// SPDX-License-Identifier: GPL-2.0-only
/* What a macro calls is called. */
#include "fake.h"

HOOK(task_kill)

#define CHECK(what, o) security_##what(o)
#define TWICE(x) ((x) ?: (x))

long sys_kill(void *o)
{
	return TWICE(CHECK(task_kill, o));
}
