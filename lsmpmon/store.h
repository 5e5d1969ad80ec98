/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the counters of each CPU
 *
 * A CPU's counters are written by that CPU alone:
 *
 * 1. A writer has interrupts off, sets @busy, writes and clears @busy.  So
 *    there is one at a time, plain loads and stores suffice, and several
 *    counters change as one.
 * 2. An NMI that finds @busy set counts its call as lost.
 * 3. A reader on any CPU copies a cell, looks at @busy and copies it again:
 *    two equal copies around a moment without a writer are consistent.  See
 *    lsmpmon_copy().
 * 4. Counters are zeroed only while lsmpmon_paused is true and every
 *    writer that may have seen it false has finished.  See control.c.
 */

#ifndef _SECURITY_LSMPMON_STORE_H
#define _SECURITY_LSMPMON_STORE_H

#include <linux/cache.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "compat.h"
#include "histogram.h"
#include "hook.h"
#include "place.h"

/* What happened inside a call. */
enum lsmpmon_disturbance {
	LSMPMON_QUIET,
	LSMPMON_INTERRUPTED,
	LSMPMON_SWITCHED,
};

/* Callbacks: places in the order of modules, for each hook. */
#define LSMPMON_CALLBACKS	(LSMPMON_HOOKS * MAX_LSM_COUNT)

#define LSMPMON_CALLBACK_SIZE \
	(LSMPMON_CALLBACKS * LSMPMON_VERDICTS * sizeof(struct lsmpmon_cell))

/* Room for as many pairs of a hook and an errno. */
#define LSMPMON_DENIALS		1024
#define LSMPMON_DENIAL_BITS	ilog2(LSMPMON_DENIALS)

/**
 * struct lsmpmon_denial - what is known of one errno of one hook
 * @count: calls without a context switch inside
 * @cs_count: calls with one
 */
struct lsmpmon_denial {
	u64 count;
	u64 cs_count;
};

/**
 * struct lsmpmon_share - what is known of one system call as a whole
 * @count: calls without a context switch inside; they alone make what follows
 * @sum: their ticks, entry to exit
 * @hook_count: hook calls inside them
 * @hook_sum: ticks of these
 * @cs_count: calls with a context switch inside
 */
struct lsmpmon_share {
	u64 count;
	u64 sum;
	u64 hook_count;
	u64 hook_sum;
	u64 cs_count;
};

/**
 * struct lsmpmon_cpu - the counters of one CPU
 * @busy: a writer is at work
 * @lost: calls that could not be recorded, each counted when it ended
 * @others: calls in @pair whose system call registers did not tell
 * @callback: by LSMPMON_CALLBACK() and verdict; NULL before its first use
 * @histogram: by hook and bucket; NULL before its first use
 * @pair: by place, see place.h; NULL before its first use
 * @share: by operation, see calls.c; NULL before its first use
 * @name: where the filter writes the name of an object; NULL before its first
 *	use
 * @denial: by place of the pair, see denial.c
 * @cell: by hook, LSMPMON_HOOK_SELF last, and verdict
 */
struct lsmpmon_cpu {
	unsigned int busy;
	u64 lost;
	u64 others;
	struct lsmpmon_cell (*callback)[LSMPMON_VERDICTS];
	u64 (*histogram)[LSMPMON_BUCKETS];
	struct lsmpmon_pair *pair;
	struct lsmpmon_share *share;
	char *name;
	struct lsmpmon_denial denial[LSMPMON_DENIALS];
	struct lsmpmon_cell cell[LSMPMON_CELLS][LSMPMON_VERDICTS];
};

DECLARE_PER_CPU_ALIGNED(struct lsmpmon_cpu, lsmpmon_cpu);

void lsmpmon_store_wipe(void);
size_t lsmpmon_store_size(void);
int lsmpmon_store_give(void **table, size_t size, int cpu);
void lsmpmon_copy(const struct lsmpmon_cpu *c, const void *from, void *copy,
		  size_t size);
void lsmpmon_cell_read_cpu(int cpu, enum lsmpmon_hook hook,
			   enum lsmpmon_verdict verdict,
			   struct lsmpmon_cell *cell);
void lsmpmon_cell_read(enum lsmpmon_hook hook, enum lsmpmon_verdict verdict,
		       struct lsmpmon_cell *total);
void lsmpmon_cell_add(struct lsmpmon_cell *total,
		      const struct lsmpmon_cell *cell);
u64 lsmpmon_lost(void);

/* The longest of all calls of a cell. */
static inline u64 lsmpmon_cell_max(const struct lsmpmon_cell *cell)
{
	return max(cell->quiet_max, cell->irq_max);
}

/* The same, as it is shown: 0 where nothing was measured. */
static inline u64 lsmpmon_cell_min(const struct lsmpmon_cell *cell)
{
	return cell->count ? cell->min : 0;
}

static inline u64 lsmpmon_cell_ave(const struct lsmpmon_cell *cell)
{
	return cell->count ? div64_u64(cell->sum, cell->count) : 0;
}

static inline bool lsmpmon_cell_empty(const struct lsmpmon_cell *cell)
{
	return !cell->count && !cell->cs_count;
}

#endif /* _SECURITY_LSMPMON_STORE_H */
