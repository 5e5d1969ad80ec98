/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: hooks by system call
 */

#ifndef _SECURITY_LSMPMON_SYSCALL_H
#define _SECURITY_LSMPMON_SYSCALL_H

#include <linux/audit.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/syscall.h>

#include "compat.h"
#include "store.h"

/* The longest name of an operation, as lsmpmon_operation_name() gives it. */
#define LSMPMON_OPERATION_NAME	64

unsigned int lsmpmon_operation(bool *fallback);
void lsmpmon_operation_name(unsigned int operation, char *name, size_t size);
void lsmpmon_pair_count(struct lsmpmon_cpu *c, unsigned long offset, u64 ticks,
			bool switched);
const char *lsmpmon_syscall_source(void);
u64 lsmpmon_fallbacks(void);

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

/* What a task does with one of these counts as exit_group(), see operation.c. */
#define LSMPMON_ENDING		(PF_EXITING | PF_DUMPCORE)

/**
 * lsmpmon_is_plain - whether registers tell what the kernel does
 *
 * What is most usual, found without a call: a system call of the kernel's own
 * width, by a task that has no audit context.
 *
 * Context: any; called from the hot path.
 * Return: true if it is so.
 */
static __always_inline bool lsmpmon_is_plain(void)
{
	struct task_struct *t = current;

	if (unlikely(preempt_count() &
		     (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)))
		return false;
	if (unlikely(t->flags & (PF_KTHREAD | PF_USER_WORKER | LSMPMON_ENDING)))
		return false;
	if (unlikely((unsigned long)audit_context() | t->lsmpmon.uring))
		return false;
	if (unlikely(!user_mode(task_pt_regs(t))))
		return false;
	return !IS_ENABLED(CONFIG_64BIT) ||
	       likely(syscall_get_arch(t) & __AUDIT_ARCH_64BIT);
}

/* Of a hook, as LSMPMON_OFFSET(), and a system call: the place, or 0. */
static __always_inline unsigned int
lsmpmon_pair_place(unsigned long offset, u64 nr)
{
	const size_t row = sizeof(*lsmpmon_places->of) / LSMPMON_OFFSET(1);
	u16 *of = (void *)lsmpmon_places->of + offset * row;

	BUILD_BUG_ON(sizeof(*lsmpmon_places->of) % LSMPMON_OFFSET(1));
	return READ_ONCE(of[nr]);
}

static __always_inline void lsmpmon_pair_add(struct lsmpmon_pair *pair,
					     u64 ticks)
{
	pair->count++;
	pair->sum += ticks;
	if (unlikely(ticks < pair->min))
		pair->min = ticks;
	if (unlikely(ticks > pair->max))
		pair->max = ticks;
}

/**
 * lsmpmon_pair_count_plain - count a call whose pair is found without a call
 * @offset: which hook, as LSMPMON_OFFSET()
 * @ticks: how long it took, without a context switch
 *
 * The caller is the writer of this CPU.
 *
 * Context: any; called from the hot path.
 * Return: whether it was counted.
 */
static __always_inline bool
lsmpmon_pair_count_plain(unsigned long offset, u64 ticks)
{
	unsigned int place;
	u64 nr;

	if (unlikely(!lsmpmon_is_plain()))
		return false;
	/* Sign-extended, which takes no instruction of its own. */
	nr = (s64)syscall_get_nr(current, task_pt_regs(current));
	if (unlikely(nr >= LSMPMON_NATIVE_CALLS))
		return false;
	place = lsmpmon_pair_place(offset, nr);
	if (unlikely(!place))
		return false;
	lsmpmon_pair_add(raw_cpu_read(lsmpmon_cpu.pair) + place, ticks);
	return true;
}

#endif /* _SECURITY_LSMPMON_SYSCALL_H */
