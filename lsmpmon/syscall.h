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
	LSMPMON_OPERATION_KIND		= LSMPMON_OPERATION_URING,
	/* Registers told, since the audit context did not know. */
	LSMPMON_OPERATION_REGISTERS	= 4 << 16,
};

/* The longest name of an operation, as lsmpmon_operation_name() gives it. */
#define LSMPMON_OPERATION_NAME	64

/*
 * A pair's key: a number, a hook's LSMPMON_OFFSET(), which leaves the lowest
 * bits free, and in these the rest of an operation.  Never zero.
 */
#define LSMPMON_PAIR_USED	8
#define LSMPMON_PAIR_REGISTERS	(LSMPMON_OPERATION_REGISTERS >> 16)

static __always_inline u64 lsmpmon_pair(unsigned long offset,
					unsigned int operation)
{
	return ((u64)(operation & LSMPMON_OPERATION_NR) << 16) + offset +
	       LSMPMON_PAIR_USED + (operation >> 16);
}

static inline unsigned int lsmpmon_pair_hook(u64 key)
{
	return (unsigned int)(key & 0xffff) / (unsigned int)LSMPMON_OFFSET(1);
}

static inline unsigned int lsmpmon_pair_operation(u64 key)
{
	return (unsigned int)(key >> 16) |
	       ((unsigned int)key & (LSMPMON_PAIR_USED - 1)) << 16;
}

unsigned int lsmpmon_operation(void);
void lsmpmon_operation_name(unsigned int operation, char *name, size_t size);
void lsmpmon_pair_count(struct lsmpmon_cpu *c, u64 key, u64 ticks,
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

/* Where in the table a pair is looked for first. */
static __always_inline size_t lsmpmon_pair_place(u64 key)
{
	BUILD_BUG_ON(LSMPMON_OFFSET(LSMPMON_CELLS) > 0x10000);
	BUILD_BUG_ON(LSMPMON_OFFSET(1) < 2 * LSMPMON_PAIR_USED);
	/* Bits of the product that all of the key's have a share in. */
	return key * GOLDEN_RATIO_32 >> 26 & (LSMPMON_PAIRS - 1);
}

/**
 * lsmpmon_is_plain - whether what the kernel does is told soon
 *
 * What is most usual, found without a call: a system call of the kernel's own
 * width, by a task that has no audit context, so that its registers tell.
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
	if (unlikely(t->flags & (PF_KTHREAD | PF_USER_WORKER)))
		return false;
	if (unlikely((unsigned long)audit_context() | t->lsmpmon.uring))
		return false;
	return !IS_ENABLED(CONFIG_64BIT) ||
	       likely(syscall_get_arch(t) & __AUDIT_ARCH_64BIT);
}

/*
 * Then, the pair of a call of a hook.  A number that no system call has gives
 * a pair that no table has.
 */
static __always_inline u64 lsmpmon_plain_pair(unsigned long offset)
{
	/* Sign-extended, which takes no instruction of its own. */
	const s64 nr = syscall_get_nr(current, task_pt_regs(current));

	return ((u64)nr << 16) +
		lsmpmon_pair(offset, LSMPMON_OPERATION_SYSCALL |
				     LSMPMON_OPERATION_REGISTERS);
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

/* Count a call whose pair is at its first place. */
static __always_inline bool
lsmpmon_pair_count_soon(struct lsmpmon_cpu *c, u64 key, u64 ticks)
{
	struct lsmpmon_pair *pair = &c->pair[lsmpmon_pair_place(key)];

	if (unlikely(pair->key != key))
		return false;
	lsmpmon_pair_add(pair, ticks);
	return true;
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
	return likely(lsmpmon_is_plain()) &&
	       lsmpmon_pair_count_soon(c, lsmpmon_plain_pair(offset), ticks);
}

#endif /* _SECURITY_LSMPMON_SYSCALL_H */
