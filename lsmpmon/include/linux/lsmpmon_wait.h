/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: waits of hook calls in progress
 */

#ifndef _LINUX_LSMPMON_WAIT_H
#define _LINUX_LSMPMON_WAIT_H

#include <linux/types.h>

/* Nested waits of a task that are timed: reclaim, a lock, and spinlocks in those. */
#define LSMPMON_WAITS	4

/**
 * struct lsmpmon_waiting - a wait in progress
 * @what: what is waited for, and in which context, see wait.c; 0 if there is none
 * @begin: clock when it began, without the time of waits inside it
 */
struct lsmpmon_waiting {
	unsigned long		what;
	u64			begin;
};

#endif /* _LINUX_LSMPMON_WAIT_H */
