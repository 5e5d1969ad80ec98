/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the operation that a task is in
 */

#ifndef _SECURITY_LSMPMON_OPERATION_H
#define _SECURITY_LSMPMON_OPERATION_H

#include <linux/audit.h>
#include <linux/io_uring.h>
#include <linux/lsmpmon_task.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/syscall.h>
#include <uapi/linux/io_uring.h>

#include "compat.h"

/* An operation is a system call, an operation of io_uring, or neither. */
enum {
	/* Below this, native system calls by their numbers. */
	LSMPMON_COMPAT = LSMPMON_NATIVE_CALLS,
	LSMPMON_URING = LSMPMON_COMPAT + LSMPMON_COMPAT_CALLS,
	LSMPMON_NO_OPERATION = LSMPMON_URING + IORING_OP_LAST,
	/* Pairs for which no place was free. */
	LSMPMON_OTHER,
	LSMPMON_OPERATIONS,
};

/* Buffer size for lsmpmon_operation_name(). */
#define LSMPMON_OPERATION_NAME	64

unsigned int lsmpmon_operation(void);
void lsmpmon_forget_operations(void);
void lsmpmon_operation_name(unsigned int operation, char *name, size_t size);

/**
 * lsmpmon_system_call - operation of a system call
 * @nr: number of the system call
 * @arch: AUDIT_ARCH_* value of the table that the number belongs to
 *
 * Context: any.
 * Return: the operation; LSMPMON_NO_OPERATION for an invalid number.
 */
static __always_inline unsigned int lsmpmon_system_call(int nr, int arch)
{
	const unsigned int number = nr;

	if (IS_ENABLED(CONFIG_64BIT) && !(arch & __AUDIT_ARCH_64BIT))
		return number < LSMPMON_COMPAT_CALLS ? LSMPMON_COMPAT + number :
						       LSMPMON_NO_OPERATION;
	return number < LSMPMON_NATIVE_CALLS ? number : LSMPMON_NO_OPERATION;
}

/*
 * Values of @uring in struct lsmpmon_task while the task is in no operation of
 * io_uring.  FROM_USER: the task has come from user mode, so its registers have
 * the system call.  NEWBORN: a usermode helper whose program has not run yet.
 * A new task has neither until its first hook call that is measured.
 */
#define LSMPMON_FROM_USER	(~1U)
#define LSMPMON_NEWBORN		(~0U)

/* Tasks with one of these flags count as in exit_group(), see operation.c. */
#define LSMPMON_ENDING		(PF_EXITING | PF_DUMPCORE)

/**
 * lsmpmon_in_native_call - test whether the registers have a native system call
 * @t: the current task
 *
 * The common case without a function call: a task that lsmpmon_operation() has
 * already marked LSMPMON_FROM_USER, in a system call of the kernel's own width.
 *
 * Context: any; called from the hot path.
 * Return: true in such a system call; false if lsmpmon_operation() has to decide.
 */
static __always_inline bool lsmpmon_in_native_call(struct task_struct *t)
{
	if (unlikely(preempt_count() &
		     (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)))
		return false;
	/* On PREEMPT_RT, softirqs are counted in the task, not in preempt_count(). */
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && unlikely(in_serving_softirq()))
		return false;
	if (unlikely(t->flags & (PF_KTHREAD | PF_USER_WORKER | LSMPMON_ENDING)))
		return false;
	if (unlikely(READ_ONCE(lsmpmon_of(t)->uring) != LSMPMON_FROM_USER))
		return false;
	return !IS_ENABLED(CONFIG_64BIT) ||
	       likely(syscall_get_arch(t) & __AUDIT_ARCH_64BIT);
}

#endif /* _SECURITY_LSMPMON_OPERATION_H */
