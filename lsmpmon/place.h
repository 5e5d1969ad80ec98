/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: where pairs of a hook and an
 * operation are counted
 *
 * Few of the pairs that are possible are ever used, but which these are is up
 * to users.  A pair takes a place at its first call, the same on each CPU, and
 * a table that all CPUs share tells the place of each pair.
 */

#ifndef _SECURITY_LSMPMON_PLACE_H
#define _SECURITY_LSMPMON_PLACE_H

#include <linux/io_uring.h>
#include <linux/log2.h>
#include <linux/types.h>

#include "compat.h"
#include "hook.h"

/*
 * What the kernel does for a task is an operation: a system call, one of
 * io_uring, or none.
 */
enum {
	/* A system call of the kernel's own width is its number. */
	LSMPMON_COMPAT = LSMPMON_NATIVE_CALLS,
	LSMPMON_URING = LSMPMON_COMPAT + LSMPMON_COMPAT_CALLS,
	LSMPMON_NO_OPERATION = LSMPMON_URING + IORING_OP_LAST,
	/* Of pairs that found all places taken. */
	LSMPMON_OTHER,
	LSMPMON_OPERATIONS,
};

/*
 * How many pairs may take places; some 1,000 are usual.  These come after those
 * of LSMPMON_NO_OPERATION and LSMPMON_OTHER, which have a place for each hook.
 */
#define LSMPMON_PLACES		12288
#define LSMPMON_FIRST_PLACE	(2 * LSMPMON_CELLS)
#define LSMPMON_ALL_PLACES	(LSMPMON_FIRST_PLACE + LSMPMON_PLACES)

/* The size of a row is a multiple of the step of LSMPMON_OFFSET(). */
#define LSMPMON_ROW		roundup_pow_of_two(LSMPMON_OPERATIONS)

/**
 * struct lsmpmon_pair - what is known of one hook in one operation
 * @count: as in struct lsmpmon_cell, and so are the others
 * @sum: ticks
 * @min: ticks; U64_MAX before the first
 * @max: ticks, interrupted or not
 * @cs_count: calls with a context switch inside
 */
struct lsmpmon_pair {
	u64 count;
	u64 sum;
	u64 min;
	u64 max;
	u64 cs_count;
};

#define LSMPMON_PAIR_SIZE	(LSMPMON_ALL_PLACES * sizeof(struct lsmpmon_pair))

/**
 * struct lsmpmon_places - which pair has which place
 * @of: by hook and operation; 0 for a pair without a place, which is none that
 *	a pair can take
 * @taken: the places before this are taken, and @of says so; a hint, from
 *	which the first free one is looked for
 * @owner: by place from LSMPMON_FIRST_PLACE: one more than the index of the
 *	pair in @of, or 0
 */
struct lsmpmon_places {
	u16 of[LSMPMON_CELLS][LSMPMON_ROW];
	unsigned int taken;
	u32 owner[LSMPMON_PLACES];
};

extern struct lsmpmon_places *lsmpmon_places;

int lsmpmon_places_give(bool on);
void lsmpmon_places_wipe(void);
unsigned int lsmpmon_place_take(struct lsmpmon_places *places,
				unsigned int hook, unsigned int operation);
unsigned int lsmpmon_place_find(const struct lsmpmon_places *places,
				unsigned int hook, unsigned int operation);

#endif /* _SECURITY_LSMPMON_PLACE_H */
