/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: whole system calls
 */

#ifndef _SECURITY_LSMPMON_CALLS_H
#define _SECURITY_LSMPMON_CALLS_H

#include <linux/jump_label.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "syscall.h"

/* Whether there are tracepoints at entry and exit of system calls. */
#if defined(CONFIG_HAVE_SYSCALL_TRACEPOINTS) && defined(CONFIG_TRACEPOINTS)
#define LSMPMON_HAS_CALLS	1
#else
#define LSMPMON_HAS_CALLS	0
#endif

#define LSMPMON_SHARE_SIZE \
	(LSMPMON_OPERATIONS * sizeof(struct lsmpmon_share))

DECLARE_STATIC_KEY_FALSE(lsmpmon_calls_on);

int lsmpmon_calls_switch(bool on);

/**
 * lsmpmon_calls_add - account a hook call to the current system call
 * @ticks: how long it took
 * @outer: it is not inside another hook call, whose time would include it
 *
 * Context: any; called from the hot path.
 */
static __always_inline void lsmpmon_calls_add(u64 ticks, bool outer)
{
	struct lsmpmon_call *call = &current->lsmpmon.call;

	if (!in_task())
		return;
	call->hook_count++;
	if (outer)
		call->hook_sum += ticks;
}

#endif /* _SECURITY_LSMPMON_CALLS_H */
