/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TOTAL_H
#define LSMPMON_TOTAL_H

#include "record.h"

/**
 * struct total - totals of all hook calls of a record
 * @calls: number of calls, with or without a context switch inside
 * @ticks: time of those without a context switch
 * @empty: the part of @ticks that as many empty spans would read
 * @seconds: how long the monitor was on; 0 if the record does not say
 * @share: @ticks as a share of that time; 0 if the speed of the clock is unknown
 */
struct total {
	uint64_t calls;
	uint64_t ticks;
	uint64_t empty;
	double seconds;
	double share;
};

/* Add up a record. Returns 0, or -1 after a complaint. */
int total_read(struct total *total, const struct record *record);

/* The difference between two totals. */
struct total total_since(const struct total *before, const struct total *after, const struct record *record,
			 double seconds);

/* The total as a sentence, for the caller to free; NULL after a complaint. */
char *total_text(const struct total *total, const struct record *record);

/* The total of a record as a sentence, for the caller to free; NULL after a complaint. */
char *total_of_record(const struct record *record);

#endif
