/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the counters of each CPU
 *
 * The counters of a CPU are written by that CPU only:
 *
 * 1. A writer has preemption off, and is counted in @busy while it writes.  An
 *    interrupt or NMI may be another writer, so each counter is updated
 *    atomically with respect to this CPU, see counter.h.
 * 2. A reader on any CPU copies a cell, checks @busy and copies the cell again:
 *    two equal copies with @busy zero in between are consistent, see
 *    lsmpmon_copy().  lsmpmon_store_hold() keeps tables from being freed.
 * 3. Counters are zeroed only while lsmpmon_paused is true and every writer that
 *    may have seen it false has finished, see control.c.
 */

#ifndef _SECURITY_LSMPMON_STORE_H
#define _SECURITY_LSMPMON_STORE_H

#include <linux/cache.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/rwsem.h>
#include <linux/types.h>

#include "bucket.h"
#include "compat.h"
#include "hook.h"
#include "place.h"
#include "time.h"
#include "times.h"

enum lsmpmon_verdict {
	LSMPMON_ALLOW,		/* also all calls of void hooks */
	LSMPMON_DENY,
	LSMPMON_VERDICTS,
};

/**
 * struct lsmpmon_cell - counters of the calls of one kind
 * @count: calls without a context switch inside
 * @sum: ticks of the calls in @count
 * @min: least ticks of a call in @count; U64_MAX before the first
 * @quiet_max: most ticks of a call that was not interrupted
 * @irq_count: calls in @count that were interrupted
 * @irq_sum: ticks of the calls in @irq_count, interrupts included
 * @irq_max: most ticks of a call in @irq_count
 * @cs_count: calls with a context switch inside, or in which the clock went back
 * @times: times of disturbed calls
 *
 * The members that undisturbed calls use are in one cache line.
 */
struct lsmpmon_cell {
	u64 count;
	u64 sum;
	u64 min;
	u64 quiet_max;
	u64 irq_count;
	u64 irq_sum;
	u64 irq_max;
	u64 cs_count;
	struct lsmpmon_times times;
} __aligned(64);

/*
 * The hot path passes a hook as the byte offset of its cells: a constant, which
 * saves a multiplication.
 */
#define LSMPMON_OFFSET(hook) \
	((hook) * LSMPMON_VERDICTS * sizeof(struct lsmpmon_cell))

/* Callbacks of all hooks: LSMPMON_PLACES for each hook. */
#define LSMPMON_CALLBACKS	(LSMPMON_HOOKS * LSMPMON_PLACES)

#define LSMPMON_CELL_SIZE \
	(LSMPMON_CELLS * LSMPMON_VERDICTS * sizeof(struct lsmpmon_cell))

#define LSMPMON_CALLBACK_SIZE \
	(LSMPMON_CALLBACKS * LSMPMON_VERDICTS * sizeof(struct lsmpmon_cell))

struct lsmpmon_denial;
struct lsmpmon_share;
struct lsmpmon_slowest;
struct lsmpmon_waits;

/**
 * struct lsmpmon_cpu - the counters of one CPU
 * @busy: number of active writers; above one if a writer was interrupted by another
 * @lost: calls that could not be recorded in some table
 * @cell: cells by hook, LSMPMON_HOOK_SELF last, and verdict
 * @untimed: counts of untimed calls by hook and verdict, see untimed.h
 * @callback: cells by hook, place and verdict
 * @histogram: buckets by hook
 * @pair: by table, pairs by place, see place.h
 * @share: shares by operation, see share.h
 * @wait: waits by hook and row, see wait.h
 * @name: buffer of the filter for the name of an object
 * @denial: denials by place of the pair, see denial.h
 * @slowest: by hook, its slowest calls, see slow.c
 * @backwards: calls whose duration is invalid because the clock went back
 * @stuck: a reader has given up waiting for a writer
 *
 * A table that is not in use is NULL, see memory.c.
 */
struct lsmpmon_cpu {
	unsigned int busy;
	u64 lost;
	struct lsmpmon_cell (*cell)[LSMPMON_VERDICTS];
	u64 (*untimed)[LSMPMON_VERDICTS];
	struct lsmpmon_cell (*callback)[LSMPMON_VERDICTS];
	struct lsmpmon_buckets *histogram;
	struct lsmpmon_pair *pair[LSMPMON_PAIR_TABLES];
	struct lsmpmon_share *share;
	struct lsmpmon_waits *wait;
	char *name;
	struct lsmpmon_denial *denial;
	struct lsmpmon_slowest *slowest;
	u64 backwards;
	bool stuck;
};

DECLARE_PER_CPU_ALIGNED(struct lsmpmon_cpu, lsmpmon_cpu);

/* Most bytes that are copied at once. */
#define LSMPMON_COPY_SIZE	256

static_assert(sizeof(struct lsmpmon_cell) <= LSMPMON_COPY_SIZE);

/*
 * True while calls that end are not recorded.  A variable and not a static key, so
 * that one store takes effect on all CPUs at once.  See control.c.
 */
extern unsigned int lsmpmon_paused;

/* Held for writing while tables are freed.  An innermost lock. */
extern struct rw_semaphore lsmpmon_tables;

/**
 * lsmpmon_store_hold - prevent tables from being freed
 *
 * Context: process context, may sleep.
 */
static inline void lsmpmon_store_hold(void)
{
	down_read(&lsmpmon_tables);
}

/**
 * lsmpmon_store_release - allow tables to be freed again
 *
 * Context: process context, after lsmpmon_store_hold().
 */
static inline void lsmpmon_store_release(void)
{
	up_read(&lsmpmon_tables);
}

void lsmpmon_copy(struct lsmpmon_cpu *c, const void *from, void *copy,
		  size_t size);
void lsmpmon_copy_apart(struct lsmpmon_cpu *c, const u64 *from, size_t apart,
			u64 *copy, unsigned int n);
void lsmpmon_cell_read_cpu(int cpu, enum lsmpmon_hook hook,
			   enum lsmpmon_verdict verdict,
			   struct lsmpmon_cell *cell);
void lsmpmon_cell_read(enum lsmpmon_hook hook, enum lsmpmon_verdict verdict,
		       struct lsmpmon_cell *total);
void lsmpmon_cell_add(struct lsmpmon_cell *total,
		      const struct lsmpmon_cell *cell);
u64 lsmpmon_lost(void);
u64 lsmpmon_backwards(void);

/* Most ticks of a call, interrupted or not. */
static inline u64 lsmpmon_cell_max(const struct lsmpmon_cell *cell)
{
	return max(cell->quiet_max, cell->irq_max);
}

/* Least ticks of a call, as it is shown: 0 if there was none. */
static inline u64 lsmpmon_cell_min(const struct lsmpmon_cell *cell)
{
	return cell->count ? cell->min : 0;
}

/* Average ticks of a call, rounded down; 0 if there was none. */
static inline u64 lsmpmon_cell_ave(const struct lsmpmon_cell *cell)
{
	return cell->count ? div64_u64(cell->sum, cell->count) : 0;
}

static inline void lsmpmon_wipe_cells(struct lsmpmon_cell *cell, size_t n)
{
	while (n--)
		*cell++ = (struct lsmpmon_cell){ .min = U64_MAX };
}

static inline bool lsmpmon_cell_empty(const struct lsmpmon_cell *cell)
{
	return !cell->count && !cell->cs_count;
}

#endif /* _SECURITY_LSMPMON_STORE_H */
