/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the clock
 *
 * The one place that knows where time comes from.  Every reading is ordered
 * after the instructions before it, is made without a lock and is safe in any
 * context, NMI included.  On x86 and arm64 it moves alike on all CPUs, but a
 * virtual machine that moves to another host, or an erratum, may turn it back.
 */

#ifndef _SECURITY_LSMPMON_CLOCK_H
#define _SECURITY_LSMPMON_CLOCK_H

#include <linux/types.h>

#if defined(CONFIG_X86)

#include <asm/msr.h>
#include <asm/tsc.h>

#define LSMPMON_CLOCK_NAME	"tsc"

static __always_inline u64 lsmpmon_clock(void)
{
	return rdtsc_ordered();
}

/*
 * What the kernel knows by now of the clock's rate; 0: it has to be measured.
 * This is refined in the seconds after the boot.
 */
static inline unsigned int lsmpmon_clock_rate(void)
{
	return READ_ONCE(tsc_khz);
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

#include <linux/preempt.h>
#include <asm/arch_timer.h>

#define LSMPMON_CLOCK_NAME	"cntvct"

static __always_inline u64 lsmpmon_clock(void)
{
	u64 now;

	/* Each CPU has its own workaround of errata, if any. */
	if (IS_ENABLED(CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND))
		preempt_disable_notrace();
	now = __arch_counter_get_cntvct_stable();
	if (IS_ENABLED(CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND))
		preempt_enable_notrace();
	return now;
}

/* The counter's own register may say something else than the device tree. */
static inline unsigned int lsmpmon_clock_rate(void)
{
	return arch_timer_get_rate() / 1000;
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
 * lsmpmon_went_back - whether a difference of two readings is not a time
 * @ticks: the later reading minus the earlier one
 *
 * If the clock went back in between, the difference is more than all that were
 * ever counted.  So the hot path, which looks for those anyway, need not ask.
 *
 * Context: any.
 * Return: true if it went back.
 */
static __always_inline bool lsmpmon_went_back(u64 ticks)
{
	return (s64)ticks < 0;
}

unsigned int lsmpmon_clock_khz(void);
u64 lsmpmon_ticks_to_ns(u64 ticks);
void lsmpmon_clock_init(void);

#endif /* _SECURITY_LSMPMON_CLOCK_H */
