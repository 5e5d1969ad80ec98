/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: interface to the rest of the kernel
 */

#ifndef _LINUX_LSMPMON_H
#define _LINUX_LSMPMON_H

#include <linux/jump_label.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <uapi/linux/io_uring.h>

struct lsm_blob_sizes;

#ifdef CONFIG_SECURITY_LSMPMON

#include <linux/lsmpmon_task.h>

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

/**
 * lsmpmon_inherit - pass on what a new task has of its creator, the current task
 * @task: the new task, which has a security blob
 *
 * Context: process context.
 */
static __always_inline void lsmpmon_inherit(struct task_struct *task)
{
	lsmpmon_of(task)->tree = READ_ONCE(lsmpmon_of(current)->tree);
}

void lsmpmon_blob_init(struct lsm_blob_sizes *sizes);
void lsmpmon_init(void);

#else /* !CONFIG_SECURITY_LSMPMON */

static __always_inline void lsmpmon_uring_begin(u8 opcode) { }
static __always_inline void lsmpmon_uring_end(void) { }
static __always_inline void lsmpmon_inherit(struct task_struct *task) { }
static inline void lsmpmon_blob_init(struct lsm_blob_sizes *sizes) { }
static inline void lsmpmon_init(void) { }

#endif /* CONFIG_SECURITY_LSMPMON */

#endif /* _LINUX_LSMPMON_H */
