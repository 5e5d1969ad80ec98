/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: payers of hook calls
 */

#ifndef _SECURITY_LSMPMON_PAYER_H
#define _SECURITY_LSMPMON_PAYER_H

#include <linux/bits.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "place.h"

/* Columns: those of payers, and the two fixed ones. */
enum {
	LSMPMON_PAYERS = 256,
	LSMPMON_NO_PAYER = LSMPMON_PAYERS,	/* in interrupts */
	LSMPMON_OTHER_PAYER,			/* no column or place was free */
	LSMPMON_PAYER_COLUMNS,
};

/* If fewer columns are free, columns of payers are freed, see evict.c. */
#define LSMPMON_FEW_COLUMNS	32

/* Twice as many as columns, so that searches are short. */
#define LSMPMON_SLOT_BITS	(ilog2(LSMPMON_PAYERS) + 1)

/* Buffer size for the name of a payer; longer paths are not shown, see payers.c. */
#define LSMPMON_PAYER_NAME	256

/**
 * struct lsmpmon_payer - key of a payer
 * @word: a command name, or the number of a cgroup and zero
 */
struct lsmpmon_payer {
	u64 word[2];
};

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
	u32 next[LSMPMON_PAYERS];
	struct lsmpmon_payer key[LSMPMON_PAYERS];
	struct lsmpmon_tenure tenure[LSMPMON_PAYERS];
	unsigned long free[BITS_TO_LONGS(LSMPMON_PAYERS)];
	bool overflowed;
	u64 base;
	struct lsmpmon_pair evicted[LSMPMON_CELLS];
};

extern struct lsmpmon_payers lsmpmon_payers[LSMPMON_PAYER_KINDS];

void lsmpmon_payers_init(work_func_t work);
int lsmpmon_comm_switch(bool on);
int lsmpmon_cgroup_switch(bool on);
unsigned int lsmpmon_comm_column(void);
unsigned int lsmpmon_cgroup_column(void);
void lsmpmon_payer_miss(enum lsmpmon_by kind, unsigned int column);
void lsmpmon_payers_reset(void);
unsigned int lsmpmon_payers_left(const struct lsmpmon_payers *p);
void lsmpmon_payers_kick(void);
void lsmpmon_payers_rearm(void);
void lsmpmon_payer_unlink(struct lsmpmon_payers *p, unsigned int column);
void lsmpmon_payer_free(struct lsmpmon_payers *p, unsigned int column);

#endif /* _SECURITY_LSMPMON_PAYER_H */
