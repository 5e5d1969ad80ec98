/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_UNIT_H
#define LSMPMON_UNIT_H

#include "record.h"

enum unit { UNIT_DEFAULT, UNIT_NS, UNIT_US, UNIT_TICKS };

/**
 * struct scale - how ticks are shown
 * @name: of the unit: ns, us, cycles, instructions, ticks
 * @per_tick: how many units a tick is
 * @decimals: how many are worth showing
 */
struct scale {
	const char *name;
	double per_tick;
	int decimals;
};

/*
 * For the clock of the record's first run. Nanoseconds by default, but where instructions are counted.
 * 0, or -1 after a complaint: the record does not say how fast the clock is.
 */
int scale_for(struct scale *scale, const struct record *record, enum unit unit);

#endif
