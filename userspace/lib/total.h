/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TOTAL_H
#define LSMPMON_TOTAL_H

#include "costs.h"
#include "record.h"
#include "sheet.h"

/**
 * struct total - totals of all hook calls of a record
 * @calls: number of calls, with or without a context switch inside
 * @spans: number of those that have times: all of them, or with an older kernel those without one
 * @unknown: number of those whose own time is not known
 * @callbacks: number of callbacks of modules that were timed in these; 0 unless a feature timed them
 * @has_switched: calls with a context switch inside have times, too
 * @times: of these calls, as measured: with what measuring added, and with a call inside another in both
 * @measuring: the part of @times that measuring added: an empty span for each call and each callback
 * @once: own time in whole system calls, a call inside another in one only; 0 if that was not measured
 * @is_all: @once is of all hook calls, in system calls or not
 * @seconds: how long the monitor was on; 0 if the record does not say
 */
struct total {
	uint64_t calls;
	uint64_t spans;
	uint64_t unknown;
	uint64_t callbacks;
	bool has_switched;
	struct times times;
	uint64_t measuring;
	uint64_t once;
	bool is_all;
	double seconds;
};

/* Add up a record. Returns 0, or -1 after a complaint. */
int total_read(struct total *total, const struct record *record);

/* The difference between two totals. */
struct total total_since(const struct total *before, const struct total *after, double seconds);

/* The time of @ticks as a share of that of one processor; 0 if the speed of the clock is unknown. */
double total_share(const struct total *total, const struct record *record, double ticks);

/* What hooks took, without what measuring added, as a sentence for the caller to free; NULL after a complaint. */
char *total_text(const struct total *total, const struct record *record);

/* What the kernel's numbers add up to, with what measuring added, in the same way. */
char *total_measured_text(const struct total *total, const struct record *record);

/**
 * struct shown - the rows of the table that a total is below
 * @grouping: what they stand for
 * @time: which time share is of
 * @ticks: what they add up to
 */
struct shown {
	const struct grouping *grouping;
	enum time time;
	double ticks;
};

/* Own ticks, without what measuring added; and ticks in a readable unit, for the caller to free. */
uint64_t total_hooks(const struct total *total);
char *total_ticks_text(const struct record *record, uint64_t ticks);

/* Add it to a sheet: the sentences, what the rows have to do with it, and the same numbers for programs. */
void total_note(struct sheet *sheet, const struct total *total, const struct record *record, const struct shown *shown);

#endif
