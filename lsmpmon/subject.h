/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the command name of a hook call
 */

#ifndef _SECURITY_LSMPMON_SUBJECT_H
#define _SECURITY_LSMPMON_SUBJECT_H

#include <linux/compiler.h>
#include <linux/pid.h>
#include <linux/sched.h>

#include "compat.h"

/**
 * lsmpmon_comm - command name for hook calls of the current task
 *
 * Workers of the kernel that are threads of a process, such as those of io_uring,
 * have names with a number in them.  Their calls count for their process.
 *
 * Context: process context; called from the hot path.
 * Return: the name, padded with zeroes.  It may change at any time.
 */
static __always_inline const char *lsmpmon_comm(void)
{
	const struct task_struct *task = current;

	/* A reaped task may have outlived its group leader. */
	if (unlikely(task->flags & PF_USER_WORKER) && pid_alive(task))
		task = task->group_leader;
	return task->comm;
}

#endif /* _SECURITY_LSMPMON_SUBJECT_H */
