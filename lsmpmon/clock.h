/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the clock
 *
 * The only place that reads the clock of an architecture.  Each reading is ordered
 * after earlier instructions, takes no lock and is safe in any context, NMI
 * included.  On x86 and arm64, the clock is the same on all CPUs, but it may go back
 * if a virtual machine is migrated, or by an erratum.
 */

#ifndef _SECURITY_LSMPMON_CLOCK_H
#define _SECURITY_LSMPMON_CLOCK_H

#include <linux/types.h>

/* Without CONFIG_X86_TSC, the kernel may run on a processor without the counter. */
#if defined(CONFIG_X86) && defined(CONFIG_X86_TSC)

#include <asm/msr.h>
#include <asm/tsc.h>

#define LSMPMON_CLOCK_NAME	"tsc"

static __always_inline u64 lsmpmon_clock(void)
{
	return rdtsc_ordered();
}

/*
 * Rate in kHz, if the kernel knows it; 0 if it has to be measured.  The kernel
 * refines tsc_khz in the first seconds after the boot.
 */
static inline unsigned int lsmpmon_clock_rate(void)
{
	return READ_ONCE(tsc_khz);
}

#elif defined(CONFIG_UML_X86)

#define LSMPMON_CLOCK_NAME	"tsc"

/* User-Mode Linux may read the counter of the host, but has no function for that. */
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

	/* Workarounds of errata are per CPU. */
	if (IS_ENABLED(CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND))
		preempt_disable_notrace();
	now = __arch_counter_get_cntvct_stable();
	if (IS_ENABLED(CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND))
		preempt_enable_notrace();
	return now;
}

/* The rate in the device tree takes precedence over the register of the counter. */
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
 * lsmpmon_went_back - test whether the clock went back between two readings
 * @ticks: the later reading minus the earlier one
 *
 * If it did, @ticks exceeds every maximum.  So the hot path, which compares with
 * the maximum anyway, needs no extra test.
 *
 * Context: any.
 * Return: true if the clock went back, so that @ticks is not a duration.
 */
static __always_inline bool lsmpmon_went_back(u64 ticks)
{
	return (s64)ticks < 0;
}

unsigned int lsmpmon_clock_khz(void);
u64 lsmpmon_ticks_to_ns(u64 ticks);
u64 lsmpmon_ns_to_ticks(u64 ns);
void lsmpmon_clock_init(void);

#endif /* _SECURITY_LSMPMON_CLOCK_H */
