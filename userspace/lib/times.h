/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TIMES_H
#define LSMPMON_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* Which time of calls is shown: on the CPU and without interrupts, or from begin to end. */
enum time { OWN_TIME, WALL_TIME };

/**
 * struct times - ticks of calls
 * @own: own time, of the calls of which it is known
 * @wall: from begin to end
 * @slept: for which their tasks slept
 * @preempted: for which their tasks were off the CPU and could have run
 *
 * A kernel of an older lsmpmon knows only how long calls without a context switch inside took from begin to end. There
 * @own and @wall are both that.
 */
struct times {
	uint64_t own;
	uint64_t wall;
	uint64_t slept;
	uint64_t preempted;
};

void times_add(struct times *times, const struct times *more);

/* The time that is shown. */
uint64_t times_of(const struct times *times, enum time time);

/* What of the wall time the tasks were not on the CPU. */
uint64_t times_off_cpu(const struct times *times);

/* What else of the wall time is not own: interrupts, and calls of which the own time is not known. */
uint64_t times_interrupted(const struct times *times);

/* What times in a table are, as a sentence. @has_switched: also those of calls with a context switch inside. */
const char *times_text(bool has_switched, enum time time);

#endif
