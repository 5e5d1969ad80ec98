// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: denials by errno
 *
 * Only few of the possible errors of a hook ever occur.  All CPUs share a small hash
 * table of the pairs of hook and error seen so far; entries are never removed.  Each
 * CPU has a counter for every place of the table.
 */

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "counter.h"
#include "denial.h"

/* A key has both, and the number of the hook plus one is not zero. */
static_assert(LSMPMON_HOOKS < U16_MAX);
static_assert(MAX_ERRNO <= U16_MAX);

/* Zero in a free place. */
static u32 keys[LSMPMON_DENIALS];

/* Never zero.  Values beyond MAX_ERRNO count as MAX_ERRNO. */
static u32 lsmpmon_denial_key(enum lsmpmon_hook hook, int rc)
{
	return (hook + 1) << 16 | min_t(unsigned int, -(unsigned int)rc, MAX_ERRNO);
}

/* Whether a place has the key; a free place is given the key. */
static bool lsmpmon_has_key(unsigned int place, u32 key)
{
	u32 old = READ_ONCE(keys[place]);

	if (!old)
		old = cmpxchg(&keys[place], 0, key) ?: key;
	return old == key;
}

/* Find or assign the place of a key; LSMPMON_DENIALS if none is free. */
static unsigned int lsmpmon_place_of(u32 key)
{
	unsigned int place = hash_32(key, LSMPMON_DENIAL_BITS);
	int i;

	for (i = 0; i < LSMPMON_DENIALS; i++, place++)
		if (lsmpmon_has_key(place % LSMPMON_DENIALS, key))
			return place % LSMPMON_DENIALS;
	return LSMPMON_DENIALS;
}

/**
 * lsmpmon_denial_count - count a denied call
 * @c: this CPU
 * @hook: number of the hook
 * @rc: return value, negative
 * @switched: whether a context switch was inside
 *
 * Context: any, as a writer; called from the hot path.
 */
void lsmpmon_denial_count(struct lsmpmon_cpu *c, enum lsmpmon_hook hook,
			  int rc, bool switched)
{
	const unsigned int place = lsmpmon_place_of(lsmpmon_denial_key(hook, rc));

	if (unlikely(place == LSMPMON_DENIALS))
		lsmpmon_add(&c->lost, 1);
	else if (switched)
		lsmpmon_add(&c->denial[place].cs_count, 1);
	else
		lsmpmon_add(&c->denial[place].count, 1);
}

/**
 * lsmpmon_denial_read - sum the denials of a hook with an error over all CPUs
 * @hook: number of the hook
 * @rc: the error, negative
 * @total: set to the sum
 *
 * Context: process context, may sleep.
 */
void lsmpmon_denial_read(enum lsmpmon_hook hook, int rc,
			 struct lsmpmon_denial *total)
{
	const unsigned int place = lsmpmon_place_of(lsmpmon_denial_key(hook, rc));
	int cpu;

	*total = (struct lsmpmon_denial){ };
	lsmpmon_store_hold();
	for_each_possible_cpu(cpu) {
		struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		struct lsmpmon_denial copy;

		if (!READ_ONCE(c->denial))
			continue;
		lsmpmon_copy(c, &c->denial[place], &copy, sizeof(copy));
		total->count += copy.count;
		total->cs_count += copy.cs_count;
		cond_resched();
	}
	lsmpmon_store_release();
}

/**
 * lsmpmon_denial_errors - find the errors that a hook has returned
 * @hook: number of the hook
 * @seen: bitmap of MAX_ERRNO + 1 bits; those of the errors are set
 *
 * Context: any.
 */
void lsmpmon_denial_errors(enum lsmpmon_hook hook, unsigned long *seen)
{
	unsigned int place;
	u32 key;

	for (place = 0; place < LSMPMON_DENIALS; place++) {
		key = READ_ONCE(keys[place]);
		if (key >> 16 == hook + 1)
			__set_bit(key & 0xffff, seen);
	}
}
