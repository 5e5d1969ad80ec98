/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: one counter
 *
 * A counter is changed by its own CPU only, but in any context: each update is
 * atomic with respect to interrupts and NMIs, as with local64_t.
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
 * @counter: the counter
 * @n: value to add
 *
 * Context: any, preemption off.
 */
static __always_inline void lsmpmon_add(u64 *counter, u64 n)
{
	local64_add(n, lsmpmon_local(counter));
}

/**
 * lsmpmon_lower - lower a minimum of this CPU
 * @least: the minimum
 * @value: candidate for a new minimum
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
 * @most: the maximum
 * @value: candidate for a new maximum
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
