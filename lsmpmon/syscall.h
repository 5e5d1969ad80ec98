/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: hooks by system call
 */

#ifndef _SECURITY_LSMPMON_SYSCALL_H
#define _SECURITY_LSMPMON_SYSCALL_H

#include <linux/audit.h>
#include <linux/hash.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/syscall.h>

#include "compat.h"
#include "store.h"

/* Room for as many pairs of a system call and a hook, on each CPU. */
#define LSMPMON_PAIRS		8192
#define LSMPMON_PAIR_BITS	ilog2(LSMPMON_PAIRS)

/*
 * What the kernel does for a task: an operation is a system call or one of
 * io_uring, in one number.  Zero: neither.
 */
#define LSMPMON_OPERATION_NR	0xffff
enum {
	LSMPMON_OPERATION_SYSCALL	= 1 << 16,
	LSMPMON_OPERATION_COMPAT	= 2 << 16,
	LSMPMON_OPERATION_URING		= 3 << 16,
};

/* The longest name of an operation, as lsmpmon_operation_name() gives it. */
#define LSMPMON_OPERATION_NAME	64

/* What operations have bits for. */
#define LSMPMON_OPERATION_BITS	18

/* A pair's key, of a hook's LSMPMON_OFFSET(); never zero. */
#define LSMPMON_PAIR(offset, operation)					\
	((u32)(offset) * ((1 << LSMPMON_OPERATION_BITS) /		\
			  (u32)LSMPMON_OFFSET(1)) +			\
	 (1 << LSMPMON_OPERATION_BITS) + (operation))
#define LSMPMON_PAIR_HOOK(key)		\
	(((key) >> LSMPMON_OPERATION_BITS) - 1)
#define LSMPMON_PAIR_OPERATION(key)	\
	((key) & ((1 << LSMPMON_OPERATION_BITS) - 1))

unsigned int lsmpmon_operation(u64 *fallbacks);
void lsmpmon_operation_name(unsigned int operation, char *name, size_t size);
void lsmpmon_pair_count(struct lsmpmon_cpu *c, u32 key, u64 ticks,
			bool switched);
const char *lsmpmon_syscall_source(void);
u64 lsmpmon_fallbacks(void);

/**
 * lsmpmon_system_call - a system call as an operation
 * @nr: its number
 * @arch: the AUDIT_ARCH_* that the number is of
 *
 * Context: any.
 * Return: the operation; zero for a number that no system call has.
 */
static __always_inline unsigned int lsmpmon_system_call(int nr, int arch)
{
	if (unlikely((unsigned int)nr > LSMPMON_OPERATION_NR))
		return 0;
	if (IS_ENABLED(CONFIG_64BIT) && !(arch & __AUDIT_ARCH_64BIT))
		return LSMPMON_OPERATION_COMPAT + nr;
	return LSMPMON_OPERATION_SYSCALL + nr;
}

/**
 * lsmpmon_plain_operation - what the kernel does, where that is told soon
 *
 * The most usual answer of lsmpmon_operation(), without a call.
 *
 * Context: any; called from the hot path.
 * Return: the operation that registers tell of a task without an audit
 *	context; zero for anything else.
 */
static __always_inline unsigned int lsmpmon_plain_operation(void)
{
	struct task_struct *t = current;

	if (unlikely(preempt_count() &
		     (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)))
		return 0;
	if (unlikely((unsigned long)audit_context() | t->lsmpmon.uring |
		     (t->flags & (PF_KTHREAD | PF_USER_WORKER))))
		return 0;
	return lsmpmon_system_call(syscall_get_nr(t, task_pt_regs(t)),
				   syscall_get_arch(t));
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
 * lsmpmon_pair_count_plain - count a call whose pair is found soon
 * @c: this CPU, of which the caller is the writer
 * @offset: which hook, as LSMPMON_OFFSET()
 * @ticks: how long it took, without a context switch
 *
 * Context: any; called from the hot path.
 * Return: whether it was counted.
 */
static __always_inline bool
lsmpmon_pair_count_plain(struct lsmpmon_cpu *c, unsigned long offset, u64 ticks)
{
	const unsigned int operation = lsmpmon_plain_operation();
	struct lsmpmon_pair *pair;
	u32 key;

	if (unlikely(!operation))
		return false;
	key = LSMPMON_PAIR(offset, operation);
	pair = &c->pair[hash_32(key, LSMPMON_PAIR_BITS)];
	if (unlikely(pair->key != key))
		return false;
	c->fallbacks++;
	lsmpmon_pair_add(pair, ticks);
	return true;
}

#endif /* _SECURITY_LSMPMON_SYSCALL_H */
