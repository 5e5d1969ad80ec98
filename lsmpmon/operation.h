/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what the kernel does for a task
 */

#ifndef _SECURITY_LSMPMON_OPERATION_H
#define _SECURITY_LSMPMON_OPERATION_H

#include <linux/audit.h>
#include <linux/io_uring.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/syscall.h>

#include "compat.h"

/*
 * What the kernel does for a task is an operation: a system call, one of
 * io_uring, or none.
 */
enum {
	/* A system call of the kernel's own width is its number. */
	LSMPMON_COMPAT = LSMPMON_NATIVE_CALLS,
	LSMPMON_URING = LSMPMON_COMPAT + LSMPMON_COMPAT_CALLS,
	LSMPMON_NO_OPERATION = LSMPMON_URING + IORING_OP_LAST,
	/* Of pairs that found all places taken. */
	LSMPMON_OTHER,
	LSMPMON_OPERATIONS,
};

/* The longest name of an operation, as lsmpmon_operation_name() gives it. */
#define LSMPMON_OPERATION_NAME	64

unsigned int lsmpmon_operation(void);
void lsmpmon_forget_operations(void);
void lsmpmon_operation_name(unsigned int operation, char *name, size_t size);

/**
 * lsmpmon_system_call - a system call as an operation
 * @nr: its number
 * @arch: the AUDIT_ARCH_* that the number is of
 *
 * Context: any.
 * Return: the operation; LSMPMON_NO_OPERATION for a number that no system call
 *	has.
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
 * In struct lsmpmon_task, in place of an operation of io_uring: the task was
 * seen to come from user mode, so its registers tell; or the kernel made it for
 * a program that has not run yet.  The child of a fork has a copy, which is
 * right, but for a kernel's worker: the flags tell of those.
 */
#define LSMPMON_FROM_USER		(~1U)
#define LSMPMON_NEWBORN		(~0U)

/* What a task does with one of these counts as exit_group(), see operation.c. */
#define LSMPMON_ENDING		(PF_EXITING | PF_DUMPCORE)

/**
 * lsmpmon_in_native_call - whether registers tell what the kernel does
 *
 * What is most usual, found without a call: a system call of the kernel's own
 * width, by a task of which lsmpmon_operation() knows where it came from.
 *
 * Context: any; called from the hot path.
 * Return: true if it is so.
 */
static __always_inline bool lsmpmon_in_native_call(void)
{
	struct task_struct *t = current;

	if (unlikely(preempt_count() &
		     (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)))
		return false;
	/* There, softirqs are counted in the task. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && unlikely(in_serving_softirq()))
		return false;
	if (unlikely(t->flags & (PF_KTHREAD | PF_USER_WORKER | LSMPMON_ENDING)))
		return false;
	if (unlikely(READ_ONCE(t->lsmpmon.uring) != LSMPMON_FROM_USER))
		return false;
	return !IS_ENABLED(CONFIG_64BIT) ||
	       likely(syscall_get_arch(t) & __AUDIT_ARCH_64BIT);
}

#endif /* _SECURITY_LSMPMON_OPERATION_H */
