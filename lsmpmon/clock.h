/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the clock
 *
 * The one place that knows where time comes from.  Every reading is ordered
 * after the instructions before it, is made without a lock and is safe in any
 * context, NMI included.  On x86 and arm64 it moves alike on all CPUs.
 */

#ifndef _SECURITY_LSMPMON_CLOCK_H
#define _SECURITY_LSMPMON_CLOCK_H

#include <linux/math64.h>
#include <linux/types.h>

#if defined(CONFIG_X86)

#include <asm/msr.h>
#include <asm/tsc.h>

#define LSMPMON_CLOCK_NAME	"tsc"

static __always_inline u64 lsmpmon_clock(void)
{
	return rdtsc_ordered();
}

/* What the kernel knows of the clock's rate; 0: it has to be measured. */
static inline unsigned int lsmpmon_clock_rate(void)
{
	return tsc_khz;
}

#elif defined(CONFIG_UML_X86)

#define LSMPMON_CLOCK_NAME	"tsc"

/* User-Mode Linux may read the host's counter, but has no function for it. */
static __always_inline u64 lsmpmon_clock(void)
{
	u32 low, high;

	asm volatile("lfence; rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (u64)high << 32 | low;
}

static inline unsigned int lsmpmon_clock_rate(void)
{
	return 0;
}

#elif defined(CONFIG_ARM64)

#include <asm/arch_timer.h>

#define LSMPMON_CLOCK_NAME	"cntvct"

static __always_inline u64 lsmpmon_clock(void)
{
	return __arch_counter_get_cntvct();
}

static inline unsigned int lsmpmon_clock_rate(void)
{
	return arch_timer_get_cntfrq() / 1000;
}

#else

#include <linux/sched/clock.h>

#define LSMPMON_CLOCK_NAME	"local_clock"

static __always_inline u64 lsmpmon_clock(void)
{
	return local_clock();
}

static inline unsigned int lsmpmon_clock_rate(void)
{
	return 1000000;
}

#endif

/**
 * struct lsmpmon_rate - how fast it moves
 * @khz: ticks a millisecond
 * @ns_factor: nanoseconds a tick, times 2^LSMPMON_NS_SHIFT
 */
struct lsmpmon_rate {
	unsigned int khz;
	u32 ns_factor;
};

#define LSMPMON_NS_SHIFT	22

extern struct lsmpmon_rate lsmpmon_rate;

/* Context: any, after lsmpmon_clock_init(); before it, zero. */
static inline u64 lsmpmon_ticks_to_ns(u64 ticks)
{
	return mul_u64_u32_shr(ticks, lsmpmon_rate.ns_factor, LSMPMON_NS_SHIFT);
}

void lsmpmon_clock_init(void);

#endif /* _SECURITY_LSMPMON_CLOCK_H */
