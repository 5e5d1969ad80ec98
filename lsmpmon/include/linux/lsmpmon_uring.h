/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the operation of io_uring at work
 */

#ifndef _LINUX_LSMPMON_URING_H
#define _LINUX_LSMPMON_URING_H

#include <linux/types.h>

#ifdef CONFIG_SECURITY_LSMPMON

#include <linux/lsmpmon.h>
#include <linux/lsmpmon_task.h>
#include <linux/sched.h>
#include <uapi/linux/io_uring.h>

void lsmpmon_release_begin(void);
void lsmpmon_release_end(void);

/**
 * lsmpmon_uring_begin - note that the current task begins an operation of io_uring
 * @opcode: IORING_OP_* of the operation
 *
 * Context: process context, may sleep.
 */
static __always_inline void lsmpmon_uring_begin(u8 opcode)
{
	if (!static_branch_unlikely(&lsmpmon_watched))
		return;
	if (opcode == IORING_OP_CLOSE)
		lsmpmon_release_begin();
	WRITE_ONCE(lsmpmon_of(current)->uring, opcode + 1);
}

/**
 * lsmpmon_uring_end - note that the current task ends an operation of io_uring
 *
 * Context: process context.
 */
static __always_inline void lsmpmon_uring_end(void)
{
	if (!static_branch_unlikely(&lsmpmon_watched))
		return;
	if (READ_ONCE(lsmpmon_of(current)->uring) == IORING_OP_CLOSE + 1)
		lsmpmon_release_end();
	WRITE_ONCE(lsmpmon_of(current)->uring, 0);
}

#else /* !CONFIG_SECURITY_LSMPMON */

static __always_inline void lsmpmon_uring_begin(u8 opcode) { }
static __always_inline void lsmpmon_uring_end(void) { }

#endif /* CONFIG_SECURITY_LSMPMON */

#endif /* _LINUX_LSMPMON_URING_H */
