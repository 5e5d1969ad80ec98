// SPDX-License-Identifier: GPL-2.0-only
/* The rate of the clock, measured against the system's. */

#include "clock.h"

#define CALIBRATION_NS 50000000u
#define TRIES 20

/**
 * struct moment - one moment on both clocks
 * @ns: time of the system's clock
 * @ticks: time of ours, at the middle of reading the system's
 */
struct moment {
	uint64_t ns;
	uint64_t ticks;
};

/* Keep the fastest of several tries: nothing interrupted its readings. */
static struct moment now(void)
{
	struct moment best = { 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t begin = clock_ticks();
		uint64_t ns = clock_ns();
		uint64_t took = clock_ticks() - begin;

		if (took >= least)
			continue;
		least = took;
		best = (struct moment){ .ns = ns, .ticks = begin + took / 2 };
	}
	return best;
}

double clock_ticks_per_ns(void)
{
	struct moment begin = now(), end;

	do {
		end = now();
	} while (end.ns - begin.ns < CALIBRATION_NS);
	return (double)(end.ticks - begin.ticks) / (double)(end.ns - begin.ns);
}
