/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: interface to the rest of the kernel
 */

#ifndef _LINUX_LSMPMON_H
#define _LINUX_LSMPMON_H

#include <linux/jump_label.h>
#include <linux/sched.h>
#include <linux/types.h>

struct lsm_blob_sizes;

#ifdef CONFIG_SECURITY_LSMPMON

#include <linux/lsmpmon_task.h>

/* On while hook calls are watched, by counters or trace events. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_watched);

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

static __always_inline void lsmpmon_inherit(struct task_struct *task) { }
static inline void lsmpmon_blob_init(struct lsm_blob_sizes *sizes) { }
static inline void lsmpmon_init(void) { }

#endif /* CONFIG_SECURITY_LSMPMON */

#endif /* _LINUX_LSMPMON_H */
