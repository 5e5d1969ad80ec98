/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: log-linear buckets
 *
 * Each power of two is divided into eight buckets of equal width; below 16
 * ticks, each value has its own.  A quantile read from the buckets is at most
 * an eighth too high.
 */

#ifndef _SECURITY_LSMPMON_BUCKET_H
#define _SECURITY_LSMPMON_BUCKET_H

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include "hook.h"

#define LSMPMON_LINEAR_BITS	3
/* For each duration of 64 bits, so that no bucket has to be the one for longer ones. */
#define LSMPMON_BUCKETS		((64 - LSMPMON_LINEAR_BITS + 1) << \
				 LSMPMON_LINEAR_BITS)
/* Counters of a hook: a power of two, so that the hot path finds them by adding. */
#define LSMPMON_BUCKET_COUNTERS	512

static_assert(LSMPMON_BUCKETS <= LSMPMON_BUCKET_COUNTERS);

/**
 * struct lsmpmon_buckets - durations of the calls of a hook
 * @count: calls without a context switch inside, by their time from begin to end
 * @own: difference to @count if all calls were counted by their own time
 * @wall: difference to @count if all calls were counted by their time from begin to end
 *
 * An undisturbed call is counted once, since it is the same in all three.
 */
struct lsmpmon_buckets {
	u64 count[LSMPMON_BUCKET_COUNTERS];
	u64 own[LSMPMON_BUCKET_COUNTERS];
	u64 wall[LSMPMON_BUCKET_COUNTERS];
};

/* One for each hook, and one for the empty span. */
#define LSMPMON_HISTOGRAM_SIZE \
	((LSMPMON_HOOKS + 1) * sizeof(struct lsmpmon_buckets))

/* On 64 bits, __fls() saves fls64()'s test for zero. */
static __always_inline unsigned int lsmpmon_leading_bit(u64 x)
{
	return BITS_PER_LONG == 64 ? __fls(x) : fls64(x) - 1;
}

/**
 * lsmpmon_bucket - bucket of a duration
 * @ticks: the duration, in ticks of the clock
 *
 * Context: any.
 * Return: number of the bucket, below LSMPMON_BUCKETS.
 */
static __always_inline unsigned int lsmpmon_bucket(u64 ticks)
{
	unsigned int shift;

	/* The bits below the leading one and LSMPMON_LINEAR_BITS more. */
	shift = lsmpmon_leading_bit(ticks | (1 << LSMPMON_LINEAR_BITS)) -
		LSMPMON_LINEAR_BITS;
	return (shift << LSMPMON_LINEAR_BITS) + (ticks >> shift);
}

/**
 * lsmpmon_bucket_le - upper bound of a bucket
 * @bucket: number of the bucket
 *
 * Context: any.
 * Return: the longest duration in the bucket, in ticks; U64_MAX for the last bucket.
 */
static inline u64 lsmpmon_bucket_le(unsigned int bucket)
{
	const unsigned int linear = 1 << LSMPMON_LINEAR_BITS;
	unsigned int shift;

	if (bucket < 2 * linear)
		return bucket;
	shift = (bucket >> LSMPMON_LINEAR_BITS) - 1;
	return ((u64)(bucket % linear + linear + 1) << shift) - 1;
}

#endif /* _SECURITY_LSMPMON_BUCKET_H */
