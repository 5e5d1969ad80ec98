// SPDX-License-Identifier: GPL-2.0-only
/* A task that is killed ends in whatever it calls; one that asks for its end does so in that call. */
#include "fake.h"

HOOK(task_free)
HOOK(task_kill)

__noinline void do_exit(void *o) { security_task_free(o); }
__noinline void do_group_exit(void *o) { do_exit(o); }
__noinline void get_signal(void *o) { do_group_exit(o); }
__noinline long __do_sys_exit_group(void *o) { do_group_exit(o); return 0; }

long sys_exit_group(void *o)
{
	return __do_sys_exit_group(o);
}

long sys_kill(void *o)
{
	int error = security_task_kill(o);

	if (!error && o)
		do_group_exit(o);
	return error;
}
