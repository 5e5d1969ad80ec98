/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the slowest calls of each hook
 */

#ifndef _SECURITY_LSMPMON_SLOW_H
#define _SECURITY_LSMPMON_SLOW_H

#include <linux/sched.h>
#include <linux/types.h>

#include "hook.h"
#include "keys.h"
#include "store.h"

/* Number of calls that are kept for each hook. */
#define LSMPMON_SLOWEST		16

/* Bytes of the name of an object, with a zero byte; longer names are cut. */
#define LSMPMON_OBJECT_SIZE	64

/**
 * struct lsmpmon_slow - a call that is one of the slowest of its hook
 * @wall: ticks from begin to end
 * @own: as in struct lsmpmon_time, and so are @slept, @preempted and @unknown
 * @slept: see @own
 * @preempted: see @own
 * @end: CLOCK_BOOTTIME when it ended, in nanoseconds
 * @pid: number of its process in the initial PID namespace; 0 in interrupts
 * @rc: return value; 0 for void hooks and for the hook's default
 * @operation: operation that it was made in
 * @place: place of the callback that took most; LSMPMON_PLACES if none was measured
 * @unknown: see @own
 * @in_task: whether it was made by a task, which @comm then names
 * @is_cut: whether @object is only the first part of the name
 * @comm: command name, padded with zeroes
 * @object: last component of the name of its object; empty if that is not known
 */
struct lsmpmon_slow {
	u64 wall;
	u64 own;
	u64 slept;
	u64 preempted;
	u64 end;
	pid_t pid;
	int rc;
	u16 operation;
	u8 place;
	bool unknown;
	bool in_task;
	bool is_cut;
	char comm[TASK_COMM_LEN];
	char object[LSMPMON_OBJECT_SIZE];
};

/**
 * struct lsmpmon_slow_head - state of the slowest calls of a hook on one CPU
 * @limit: a call of so many ticks, or of more, is one of them
 * @count: number of calls that are kept
 * @changes: number of calls that were ever inserted; it may wrap around
 * @inserting: whether an insertion is in progress
 */
struct lsmpmon_slow_head {
	u64 limit;
	u32 count;
	u32 changes;
	bool inserting;
};

/**
 * struct lsmpmon_slowest - the slowest calls of a hook that ended on one CPU
 * @head: what has to be known to insert and to read them
 * @call: the calls, in no order
 */
struct lsmpmon_slowest {
	struct lsmpmon_slow_head head;
	struct lsmpmon_slow call[LSMPMON_SLOWEST];
};

#define LSMPMON_SLOWEST_SIZE	(LSMPMON_CELLS * sizeof(struct lsmpmon_slowest))

/**
 * lsmpmon_is_slow - test whether a call may be one of the slowest of its hook
 * @hook: number of the hook
 * @ticks: duration of the call
 * @time: times of the call if it was disturbed, else NULL
 *
 * Context: any, as a writer.
 * Return: false if this CPU has enough slower calls, or if the call has no time.
 */
static inline bool lsmpmon_is_slow(enum lsmpmon_hook hook, u64 ticks,
				   const struct lsmpmon_time *time)
{
	if (!static_branch_likely(&lsmpmon_slowest_on) ||
	    (time && time->backwards))
		return false;
	return ticks >= READ_ONCE(raw_cpu_read(lsmpmon_cpu.slowest)[hook].head.limit);
}

/**
 * lsmpmon_slow_wipe - forget the slowest calls of a hook
 * @slowest: the calls
 *
 * Context: any.  Nobody may be recording or reading.
 */
static inline void lsmpmon_slow_wipe(struct lsmpmon_slowest *slowest)
{
	slowest->head = (struct lsmpmon_slow_head){ };
}

void lsmpmon_slow_insert(enum lsmpmon_hook hook, const struct lsmpmon_slow *call);
void lsmpmon_slow_read(int cpu, enum lsmpmon_hook hook,
		       struct lsmpmon_slowest *copy);
unsigned int lsmpmon_slow_merge(struct lsmpmon_slow *total, unsigned int count,
				const struct lsmpmon_slowest *slowest);

#endif /* _SECURITY_LSMPMON_SLOW_H */
