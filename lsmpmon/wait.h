/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what hook calls wait for
 */

#ifndef _SECURITY_LSMPMON_WAIT_H
#define _SECURITY_LSMPMON_WAIT_H

#include <linux/build_bug.h>

#include "store.h"

/* In place of the address of a lock: memory has to be reclaimed. */
#define LSMPMON_RECLAIM		1UL

/* What hook calls wait for. */
enum lsmpmon_wait_kind {
	LSMPMON_WAIT_LOCK,
	LSMPMON_WAIT_RECLAIM,
	LSMPMON_WAIT_KINDS,
};

/**
 * struct lsmpmon_wait - counters of waits
 * @count: waits
 * @sum: ticks of the waits
 * @max: most ticks of a wait
 */
struct lsmpmon_wait {
	u64 count;
	u64 sum;
	u64 max;
};

/**
 * struct lsmpmon_waits - waits of one row
 * @by_kind: counters by what is waited for
 */
struct lsmpmon_waits {
	struct lsmpmon_wait by_kind[LSMPMON_WAIT_KINDS];
};

/*
 * Rows of waits of a hook: first those outside of any measured callback, then those in
 * the callback at each place.
 */
#define LSMPMON_WAIT_ROWS	(LSMPMON_PLACES + 1)

#define LSMPMON_WAIT_SIZE \
	(LSMPMON_CELLS * LSMPMON_WAIT_ROWS * sizeof(struct lsmpmon_waits))

static_assert(sizeof(struct lsmpmon_wait) <= LSMPMON_COPY_SIZE);

void lsmpmon_waits_begin(void);
void lsmpmon_wait_begins(unsigned long what);
void lsmpmon_wait_ends(unsigned long what);

#endif /* _SECURITY_LSMPMON_WAIT_H */
