// SPDX-License-Identifier: GPL-2.0-only
/* A hook is called where its key is looked at, also where only one file knows the key. */
#define KEY static
#include "fake.h"

HOOK(task_kill)

long sys_kill(void *o)
{
	return security_task_kill(o);
}
