/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: hooks by system call
 */

#ifndef _SECURITY_LSMPMON_SYSCALL_H
#define _SECURITY_LSMPMON_SYSCALL_H

#include "store.h"

/* Room for as many pairs of a system call and a hook, on each CPU. */
#define LSMPMON_PAIR_BITS	13
#define LSMPMON_PAIRS		(1 << LSMPMON_PAIR_BITS)

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

/* Never zero. */
#define LSMPMON_PAIR(operation, hook)	((u64)(operation) << 32 | ((hook) + 1))

unsigned int lsmpmon_operation(u64 *fallbacks);
void lsmpmon_operation_name(unsigned int operation, char *name, size_t size);
void lsmpmon_pair_count(struct lsmpmon_cpu *c, u64 key, u64 ticks,
			bool switched);
const char *lsmpmon_syscall_source(void);
u64 lsmpmon_fallbacks(void);

#endif /* _SECURITY_LSMPMON_SYSCALL_H */
