/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the system call that a task is in
 */

#ifndef _LINUX_LSMPMON_SYSCALL_H
#define _LINUX_LSMPMON_SYSCALL_H

#include <linux/lsmpmon_delay.h>
#include <linux/types.h>

/**
 * struct lsmpmon_call - the system call that a task is in
 * @begin: clock at its entry; 0 if the task is in no measured system call
 * @hook_sum: ticks of the hook calls inside that have ended
 * @hook_away: ticks of @hook_sum that are not own time of the hook calls
 * @hook_count: number of hook calls inside that have ended
 * @operation: operation of the system call
 * @switches: context switches of the task before the entry
 * @delay: time of the system call that was not spent on executing it
 */
struct lsmpmon_call {
	u64			begin;
	u64			hook_sum;
	u64			hook_away;
	unsigned int		hook_count;
	unsigned int		operation;
	unsigned long		switches;
	struct lsmpmon_delay	delay;
};

#endif /* _LINUX_LSMPMON_SYSCALL_H */
