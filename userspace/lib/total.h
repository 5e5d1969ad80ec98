/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TOTAL_H
#define LSMPMON_TOTAL_H

#include "record.h"

/**
 * struct total - all hook calls of a record
 * @calls: how many, those with a context switch inside, too
 * @ticks: in all those without one
 * @empty: of @ticks, what so many empty spans read
 * @seconds: how long it was measured; 0: the record does not say
 * @share: of that time; 0: the record does not say how fast its clock is
 */
struct total {
	uint64_t calls;
	uint64_t ticks;
	uint64_t empty;
	double seconds;
	double share;
};

/* 0, or -1 after a complaint. */
int total_read(struct total *total, const struct record *record);

/* What came since @before, in so many seconds. */
struct total total_since(const struct total *before, const struct total *after, const struct record *record,
			 double seconds);

/* In a sentence, to be freed; NULL after a complaint. */
char *total_text(const struct total *total, const struct record *record);

/* All of a record, in a sentence to be freed; NULL after a complaint. */
char *total_of_record(const struct record *record);

#endif
