/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: log-linear buckets
 *
 * Each power of two is divided into eight buckets of equal width; below 16
 * ticks, each value has its own.  A quantile read from the buckets is at most
 * an eighth too high.
 */

#ifndef _SECURITY_LSMPMON_HISTOGRAM_H
#define _SECURITY_LSMPMON_HISTOGRAM_H

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "hook.h"

#define LSMPMON_LINEAR_BITS	3
/* Up to 2^50 ticks, four days at 3 GHz; the last one takes the rest. */
#define LSMPMON_BUCKETS		((50 - LSMPMON_LINEAR_BITS + 1) << \
				 LSMPMON_LINEAR_BITS)
/* One row per hook, and one for the empty span. */
#define LSMPMON_HISTOGRAM_SIZE \
	((LSMPMON_HOOKS + 1) * LSMPMON_BUCKETS * sizeof(u64))

/* __fls() avoids a test for zero, but takes an unsigned long. */
static __always_inline unsigned int leading_bit(u64 x)
{
	return BITS_PER_LONG == 64 ? __fls(x) : fls64(x) - 1;
}

/**
 * lsmpmon_bucket - the bucket that a duration belongs to
 * @ticks: the duration
 *
 * Context: any.
 * Return: its number, below LSMPMON_BUCKETS.
 */
static __always_inline unsigned int lsmpmon_bucket(u64 ticks)
{
	unsigned int shift, bucket;

	/* The bits below the leading one and LSMPMON_LINEAR_BITS more. */
	shift = leading_bit(ticks | (1 << LSMPMON_LINEAR_BITS)) -
		LSMPMON_LINEAR_BITS;
	bucket = (shift << LSMPMON_LINEAR_BITS) + (ticks >> shift);
	return min_t(unsigned int, bucket, LSMPMON_BUCKETS - 1);
}

u64 lsmpmon_bucket_le(unsigned int bucket);

#endif /* _SECURITY_LSMPMON_HISTOGRAM_H */
