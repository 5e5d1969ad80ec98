/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: payers of hook calls
 */

#ifndef _SECURITY_LSMPMON_PAYER_H
#define _SECURITY_LSMPMON_PAYER_H

#include <linux/bits.h>
#include <linux/log2.h>

#include "compat.h"
#include "payer_key.h"
#include "place.h"

/* Columns of payers.  A thread is another payer in each system call. */
enum {
	LSMPMON_PAYERS = 256,			/* by command name, or by cgroup */
	LSMPMON_TASK_PAYERS = 1024,
	LSMPMON_MOST_PAYERS = LSMPMON_TASK_PAYERS,
};

/* Twice as many as columns, so that searches are short. */
#define LSMPMON_SLOT_BITS	(ilog2(LSMPMON_MOST_PAYERS) + 1)

/* Buffer size for the name of a payer; longer paths are not shown, see payers.c. */
#define LSMPMON_PAYER_NAME	256

/**
 * struct lsmpmon_tenure - limits of the calls of a payer that are not in its column
 * @base: limit of the calls in earlier columns of the payer
 * @others: limit of the calls recorded in `other` because no column was free
 * @settled: whether @base and @others are fixed; otherwise the current values apply
 * @exact: whether no call was recorded in `other` because no column was free
 * @missed: whether calls were recorded in `other` because no place was free
 */
struct lsmpmon_tenure {
	u64 base;
	u64 others;
	bool settled;
	bool exact;
	bool missed;
};

/**
 * struct lsmpmon_payers - columns of the payers of one kind
 * @first: by hash, the first column of a chain plus one; zero ends a chain
 * @next: by column, the next column of its chain plus one
 * @key: by column, the payer; written before the column is in a chain
 * @tenure: by column, limits of the calls that are not in the column
 * @free: bitmap of free columns
 * @overflowed: whether some call found no free column or place
 * @base: greatest weight of an evicted payer
 * @evicted: by hook, calls of evicted payers; shown in `other`
 */
struct lsmpmon_payers {
	u32 first[BIT(LSMPMON_SLOT_BITS)];
	u32 next[LSMPMON_MOST_PAYERS];
	struct lsmpmon_payer key[LSMPMON_MOST_PAYERS];
	struct lsmpmon_tenure tenure[LSMPMON_MOST_PAYERS];
	unsigned long free[BITS_TO_LONGS(LSMPMON_MOST_PAYERS)];
	bool overflowed;
	u64 base;
	struct lsmpmon_pair evicted[LSMPMON_CELLS];
};

extern struct lsmpmon_payers *lsmpmon_payers[LSMPMON_PAYER_KINDS];

/* Number of columns of payers. */
static __always_inline unsigned int lsmpmon_payer_limit(enum lsmpmon_by kind)
{
	return kind == LSMPMON_BY_TASK ? LSMPMON_TASK_PAYERS : LSMPMON_PAYERS;
}

/* The first fixed column: in interrupts. */
static __always_inline unsigned int lsmpmon_no_payer(enum lsmpmon_by kind)
{
	return lsmpmon_payer_limit(kind);
}

/* The other fixed column: no column or place was free. */
static __always_inline unsigned int lsmpmon_other_payer(enum lsmpmon_by kind)
{
	return lsmpmon_payer_limit(kind) + 1;
}

/* Number of all columns. */
static __always_inline unsigned int lsmpmon_payer_columns(enum lsmpmon_by kind)
{
	return lsmpmon_payer_limit(kind) + LSMPMON_FIXED;
}

/* If fewer columns are free, columns of payers are freed, see evict.c. */
static inline unsigned int lsmpmon_few_columns(enum lsmpmon_by kind)
{
	return lsmpmon_payer_limit(kind) / 8;
}

int lsmpmon_comm_switch(bool on);
int lsmpmon_cgroup_switch(bool on);
int lsmpmon_task_switch(bool on);
unsigned int lsmpmon_comm_column(void);
unsigned int lsmpmon_cgroup_column(void);
unsigned int lsmpmon_task_column(void);
void lsmpmon_payer_miss(enum lsmpmon_by kind, unsigned int column);
void lsmpmon_payers_reset(void);
void lsmpmon_payers_discard(enum lsmpmon_by kind);
size_t lsmpmon_payers_size(enum lsmpmon_by kind);
unsigned int lsmpmon_payers_left(const struct lsmpmon_payers *p);
void lsmpmon_payer_unlink(struct lsmpmon_payers *p, unsigned int column);
void lsmpmon_payer_free(struct lsmpmon_payers *p, unsigned int column);

#endif /* _SECURITY_LSMPMON_PAYER_H */
