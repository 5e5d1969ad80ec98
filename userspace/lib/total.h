/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TOTAL_H
#define LSMPMON_TOTAL_H

#include "costs.h"
#include "record.h"
#include "sheet.h"

/**
 * struct total - totals of all hook calls of a record
 * @calls: number of calls, with or without a context switch inside
 * @spans: number of those without, which have times
 * @callbacks: number of callbacks of modules that were timed in these; 0 unless a feature timed them
 * @ticks: time of these calls, as measured: with what measuring added, and with a call inside another in both
 * @measuring: the part of @ticks that measuring added: an empty span for each call and each callback
 * @once: time in whole system calls, a call inside another in one only; 0 if that was not measured
 * @seconds: how long the monitor was on; 0 if the record does not say
 */
struct total {
	uint64_t calls;
	uint64_t spans;
	uint64_t callbacks;
	uint64_t ticks;
	uint64_t measuring;
	uint64_t once;
	double seconds;
};

/* Add up a record. Returns 0, or -1 after a complaint. */
int total_read(struct total *total, const struct record *record);

/* The difference between two totals. */
struct total total_since(const struct total *before, const struct total *after, double seconds);

/* The time of @ticks as a share of that of one processor; 0 if the speed of the clock is unknown. */
double total_share(const struct total *total, const struct record *record, double ticks);

/* The total as sentences, for the caller to free; NULL after a complaint. */
char *total_text(const struct total *total, const struct record *record);

/* The total of a record as sentences, for the caller to free; NULL after a complaint. */
char *total_of_record(const struct record *record);

/*
 * Add it to a sheet: the sentences, what the rows have to do with it if they add up to @rows ticks and are the
 * times of @grouping, and the same numbers for programs.
 */
void total_note(struct sheet *sheet, const struct total *total, const struct record *record,
		const struct grouping *grouping, double rows);

#endif
