/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: interface to the rest of the kernel
 */

#ifndef _LINUX_LSMPMON_H
#define _LINUX_LSMPMON_H

#include <linux/jump_label.h>
#include <linux/lsmpmon_types.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <uapi/linux/io_uring.h>

#ifdef CONFIG_SECURITY_LSMPMON

/* On while hook calls are watched, by counters or trace events. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_watched);

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
	WRITE_ONCE(current->lsmpmon.uring, opcode + 1);
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
	if (READ_ONCE(current->lsmpmon.uring) == IORING_OP_CLOSE + 1)
		lsmpmon_release_end();
	WRITE_ONCE(current->lsmpmon.uring, 0);
}

void lsmpmon_init(void);

#else /* !CONFIG_SECURITY_LSMPMON */

static __always_inline void lsmpmon_uring_begin(u8 opcode) { }
static __always_inline void lsmpmon_uring_end(void) { }
static inline void lsmpmon_init(void) { }

#endif /* CONFIG_SECURITY_LSMPMON */

#endif /* _LINUX_LSMPMON_H */
