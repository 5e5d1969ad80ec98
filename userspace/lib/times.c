// SPDX-License-Identifier: GPL-2.0-only
#include "times.h"

void times_add(struct times *times, const struct times *more)
{
	times->own += more->own;
	times->wall += more->wall;
	times->slept += more->slept;
	times->preempted += more->preempted;
}

uint64_t times_of(const struct times *times, enum time time)
{
	return time == WALL_TIME ? times->wall : times->own;
}

uint64_t times_off_cpu(const struct times *times)
{
	return times->slept + times->preempted;
}

/* A record may have anything in it, but less than nothing is not shown. */
uint64_t times_interrupted(const struct times *times)
{
	uint64_t others = times->own + times_off_cpu(times);

	return times->wall > others ? times->wall - others : 0;
}

const char *times_text(bool has_switched, enum time time)
{
	if (!has_switched)
		return "The kernel's lsmpmon is older: times are of the calls without a context switch inside, from begin "
		       "to end.";
	if (time == WALL_TIME)
		return "Times are of all calls, from begin to end; own is the part on the CPU and without interrupts.";
	return "Times are own time of all calls, on the CPU and without interrupts; wall is from begin to end.";
}
