/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what the rest of the kernel sees
 */

#ifndef _LINUX_LSMPMON_H
#define _LINUX_LSMPMON_H

#include <linux/jump_label.h>
#include <linux/lsmpmon_types.h>
#include <linux/sched.h>
#include <linux/types.h>

#ifdef CONFIG_SECURITY_LSMPMON

/* True while anybody wants hook calls observed, by counters or by tracing. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_watched);

/**
 * lsmpmon_uring_begin - an operation of io_uring begins for the current task
 * @opcode: which
 *
 * Context: process context.
 */
static __always_inline void lsmpmon_uring_begin(u8 opcode)
{
	if (static_branch_unlikely(&lsmpmon_watched))
		WRITE_ONCE(current->lsmpmon.uring, opcode + 1);
}

/**
 * lsmpmon_uring_end - it ends
 *
 * Context: process context.
 */
static __always_inline void lsmpmon_uring_end(void)
{
	if (static_branch_unlikely(&lsmpmon_watched))
		WRITE_ONCE(current->lsmpmon.uring, 0);
}

void lsmpmon_uring_puts(struct callback_head *work);

/**
 * lsmpmon_puts_later - the current task is going to release a file
 * @work: how; initialised, and nobody else has it yet
 *
 * The task will do that when it is in no operation of io_uring any more.
 *
 * Context: process context.
 */
static __always_inline void lsmpmon_puts_later(struct callback_head *work)
{
	if (IS_ENABLED(CONFIG_IO_URING) &&
	    static_branch_unlikely(&lsmpmon_watched))
		lsmpmon_uring_puts(work);
}

void lsmpmon_init(void);

#else /* !CONFIG_SECURITY_LSMPMON */

static __always_inline void lsmpmon_uring_begin(u8 opcode) { }
static __always_inline void lsmpmon_uring_end(void) { }
static __always_inline void lsmpmon_puts_later(struct callback_head *work) { }
static inline void lsmpmon_init(void) { }

#endif /* CONFIG_SECURITY_LSMPMON */

#endif /* _LINUX_LSMPMON_H */
