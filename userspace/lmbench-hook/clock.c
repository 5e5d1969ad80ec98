// SPDX-License-Identifier: GPL-2.0-only
/* The clock's rate, measured against the system's. */

#include "clock.h"

#define CALIBRATION_NS 50000000u
#define TRIES 20

/**
 * struct moment - one moment by both clocks
 * @ns: by the system's
 * @ticks: by ours, in the middle of what it took to read the system's
 */
struct moment {
	uint64_t ns;
	uint64_t ticks;
};

/* Of some tries the one that took least: nothing came between its readings. */
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
