/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: one counter
 *
 * Counters of a CPU are changed by that CPU only, but in any context: each
 * change is one with respect to interrupts and NMIs, as local64_t has it.
 */

#ifndef _SECURITY_LSMPMON_COUNTER_H
#define _SECURITY_LSMPMON_COUNTER_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/local64.h>

static __always_inline local64_t *lsmpmon_local(u64 *counter)
{
	BUILD_BUG_ON(sizeof(local64_t) != sizeof(u64));
	return (local64_t *)counter;
}

/**
 * lsmpmon_add - add to a counter of this CPU
 * @counter: which
 * @n: how much
 *
 * Context: any, preemption off.
 */
static __always_inline void lsmpmon_add(u64 *counter, u64 n)
{
	local64_add(n, lsmpmon_local(counter));
}

/**
 * lsmpmon_lower - lower a minimum of this CPU
 * @least: which
 * @value: what may be less
 *
 * Context: any, preemption off.
 */
static inline void lsmpmon_lower(u64 *least, u64 value)
{
	u64 old = local64_read(lsmpmon_local(least)), seen;

	while (value < old) {
		seen = local64_cmpxchg(lsmpmon_local(least), old, value);
		if (seen == old)
			return;
		old = seen;
	}
}

/**
 * lsmpmon_raise - raise a maximum of this CPU
 * @most: which
 * @value: what may be more
 *
 * Context: any, preemption off.
 */
static inline void lsmpmon_raise(u64 *most, u64 value)
{
	u64 old = local64_read(lsmpmon_local(most)), seen;

	while (value > old) {
		seen = local64_cmpxchg(lsmpmon_local(most), old, value);
		if (seen == old)
			return;
		old = seen;
	}
}

#endif /* _SECURITY_LSMPMON_COUNTER_H */
