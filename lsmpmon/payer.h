/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: who pays for hook calls
 */

#ifndef _SECURITY_LSMPMON_PAYER_H
#define _SECURITY_LSMPMON_PAYER_H

#include <linux/bits.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "place.h"

/* The columns: some with names, and the two that are fixed. */
enum {
	LSMPMON_PAYERS = 256,
	LSMPMON_NO_PAYER = LSMPMON_PAYERS,	/* in interrupts */
	LSMPMON_OTHER_PAYER,			/* found no place */
	LSMPMON_PAYER_COLUMNS,
};

/* While fewer columns are free than this, some are given back, see evict.c. */
#define LSMPMON_FEW_COLUMNS	32

/* Twice as many as columns, so that searches are short. */
#define LSMPMON_SLOT_BITS	(ilog2(LSMPMON_PAYERS) + 1)

/* The longest name of a command: each byte as a backslash and three digits. */
#define LSMPMON_COMM_NAME	(4 * TASK_COMM_LEN + 1)

/* Names that are longer than this are not shown, see payers.c. */
#define LSMPMON_PAYER_NAME	256

/**
 * struct lsmpmon_payer - what identifies a payer
 * @word: a command name; or the number of a cgroup, and zero
 */
struct lsmpmon_payer {
	u64 word[2];
};

/**
 * struct lsmpmon_tenure - what a payer may have paid without having the column
 * @base: at most so many calls were counted for it while it had another column
 * @others: at most so many were counted in `other` at once
 * @settled: whether these two are known; else they are what they would be now
 * @exact: none was counted in `other` at once
 * @missed: some later ones were, since no place was free
 */
struct lsmpmon_tenure {
	u64 base;
	u64 others;
	bool settled;
	bool exact;
	bool missed;
};

/**
 * struct lsmpmon_payers - who has which column
 * @first: by hash: a column plus one, the first of a chain; zero ends it
 * @next: by column: the next in its chain
 * @key: by column; written before it is in a chain
 * @tenure: by column
 * @free: a bit for each column that nobody has
 * @overflowed: whether somebody found no column, or no place
 * @base: at most so many calls had any payer that has lost its column
 * @evicted: by hook: the calls of those who have lost their columns; they are in
 *	`other`
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
