/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the program that a task works for
 */

#ifndef _SECURITY_LSMPMON_SUBJECT_H
#define _SECURITY_LSMPMON_SUBJECT_H

#include <linux/compiler.h>
#include <linux/pid.h>
#include <linux/sched.h>

#include "compat.h"

/**
 * lsmpmon_comm - the command name that the calls of the current task are of
 *
 * Kernel workers that act for a process, as those of io_uring do, are threads of
 * it and have names with a number in them.  They count for their process.
 *
 * Context: process context; called from the hot path.
 * Return: the name, padded with zeroes.  It may be changed at any time.
 */
static __always_inline const char *lsmpmon_comm(void)
{
	const struct task_struct *task = current;

	/* One that was reaped may have outlived the leader. */
	if (unlikely(task->flags & PF_USER_WORKER) && pid_alive(task))
		task = task->group_leader;
	return task->comm;
}

#endif /* _SECURITY_LSMPMON_SUBJECT_H */
