// SPDX-License-Identifier: GPL-2.0-only
/*
 * ticks: the rate of this machine's time stamp counter. QEMU's emulated
 * processor shows it to guests as it is, and a guest that has no other clock
 * cannot find out its rate while the machine is busy.
 */
#include <time.h>
#include <x86intrin.h>

#define NSEC_PER_MSEC	1000000LL
#define INTERVAL	(20 * NSEC_PER_MSEC)
#define TRIES		100

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 * NSEC_PER_MSEC + t.tv_nsec;
}

/* Both clocks at the same moment: of several readings, the quickest one. */
static void read_both(long long *ns, unsigned long long *ticks)
{
	long long shortest = 0;
	int i;

	for (i = 0; i < TRIES; i++) {
		long long before = now();
		unsigned long long read = __rdtsc();
		long long took = now() - before;

		if (i && took >= shortest)
			continue;
		shortest = took;
		*ns = before + took / 2;
		*ticks = read;
	}
}

/* In kHz. */
unsigned long ticks_khz(void)
{
	unsigned long long first, last;
	long long begin, end;

	read_both(&begin, &first);
	while (now() - begin < INTERVAL)
		;
	read_both(&end, &last);
	return (last - first) * NSEC_PER_MSEC / (end - begin);
}
