/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock: the processor's time stamp counter or virtual counter, where there is one, read with
 * fences. It needs no system call, so it works the same on the machine, in a User-Mode Linux guest
 * and in an emulator.
 */
#ifndef LSMPMON_CLOCK_H
#define LSMPMON_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + now.tv_nsec;
}

#ifdef __x86_64__
#define CLOCK_NAME "tsc"

/* Fenced on both sides, so that no instruction moves into or out of the span. */
static inline uint64_t clock_ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* After all that comes before, as the kernel reads it: the least that an exact time can cost. */
static inline uint64_t clock_ordered(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
#elif defined(__aarch64__)
#define CLOCK_NAME "cntvct"

/* After all that comes before, as the kernel reads it: the least that an exact time can cost. */
static inline uint64_t clock_ordered(void)
{
	uint64_t ticks;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
}

/* Ordered on both sides, so that no instruction moves into or out of the span. */
static inline uint64_t clock_ticks(void)
{
	uint64_t ticks = clock_ordered();

	__asm__ volatile("isb" : : : "memory");
	return ticks;
}
#else
#define CLOCK_NAME "monotonic"

static inline uint64_t clock_ticks(void)
{
	return clock_ns();
}

static inline uint64_t clock_ordered(void)
{
	return clock_ns();
}
#endif

double clock_ticks_per_ns(void);

#endif
