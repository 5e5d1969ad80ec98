/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_UNIT_H
#define LSMPMON_UNIT_H

#include "record.h"

enum unit { UNIT_DEFAULT, UNIT_NS, UNIT_US, UNIT_TICKS };

/**
 * struct scale - the unit to show ticks in
 * @name: name of the unit: ns, us, cycles, instructions, ticks
 * @per_tick: units per tick
 * @decimals: decimals worth showing
 * @step: ticks by which the clock moves at a time; 0 if the record does not say
 */
struct scale {
	const char *name;
	double per_tick;
	int decimals;
	double step;
};

/*
 * Set the scale for the clock of the record's first run. The default is nanoseconds, or instructions where these
 * are counted. Returns 0, or -1 after a complaint if the record does not say how fast the clock is.
 */
int scale_for(struct scale *scale, const struct record *record, enum unit unit);

#endif
