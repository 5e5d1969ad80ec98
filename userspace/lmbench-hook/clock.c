// SPDX-License-Identifier: GPL-2.0-only
/* The clock's rate, measured against the system's. */

#include "clock.h"

#define CALIBRATION_NS 20000000u

double clock_ticks_per_ns(void)
{
	uint64_t ns = clock_ns();
	uint64_t ticks = clock_ticks();
	uint64_t spent;

	do {
		spent = clock_ns() - ns;
	} while (spent < CALIBRATION_NS);
	return (double)(clock_ticks() - ticks) / (double)spent;
}
