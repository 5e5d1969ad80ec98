/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_SECONDS_H
#define LSMPMON_SECONDS_H

#include <time.h>

/* The monotonic clock, which the kernel uses for enabled_ns as well. */
static inline double seconds_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

#endif
