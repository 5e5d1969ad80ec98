// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"

static bool counts_instructions(const struct record *record)
{
	const char *accelerator = record_fact(record, "accelerator");

	return accelerator && !strcmp(accelerator, "icount");
}

static const char *tick_name(const struct record *record)
{
	char *clock = run_info(record->runs, "clock");
	const char *name = clock && !strcmp(clock, "tsc") ? "cycles" : "ticks";

	free(clock);
	return counts_instructions(record) ? "instructions" : name;
}

int scale_for(struct scale *scale, const struct record *record, enum unit unit)
{
	uint64_t khz = run_info_number(record->runs, "clock_khz");
	double step = run_info_number(record->runs, "clock_step");

	*scale = (struct scale){ tick_name(record), 1, 0, step };
	if (unit == UNIT_DEFAULT)
		unit = khz && !counts_instructions(record) ? UNIT_NS : UNIT_TICKS;
	if (unit == UNIT_TICKS)
		return 0;
	if (!khz)
		return complain("'%s' has no clock_khz in info, so ticks cannot be converted: give --cycles",
				record->name);
	if (unit == UNIT_NS)
		*scale = (struct scale){ "ns", 1e6 / khz, 0, step };
	else
		*scale = (struct scale){ "us", 1e3 / khz, 2, step };
	return 0;
}
