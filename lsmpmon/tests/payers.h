/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: payers in its KUnit tests
 *
 * The tests count spans of LSMPMON_HOOK_SELF, by payers of one kind.
 */

#ifndef _SECURITY_LSMPMON_TESTS_PAYERS_H
#define _SECURITY_LSMPMON_TESTS_PAYERS_H

#include <linux/compiler.h>

#include "../control.h"
#include "../evict.h"
#include "../line.h"
#include "../payer.h"

static noinline_for_stack u64 calls_in(enum lsmpmon_by kind, unsigned int column)
{
	struct lsmpmon_pair pair;

	lsmpmon_pair_read(kind, LSMPMON_HOOK_SELF, column, &pair);
	return pair.count + pair.cs_count;
}

/* Calls of all that have a column. */
static inline u64 calls_of_payers(enum lsmpmon_by kind)
{
	unsigned int column;
	u64 calls = 0;

	for (column = 0; column < lsmpmon_payer_limit(kind); column++)
		calls += calls_in(kind, column);
	return calls;
}

/* Under the control lock, no column is evicted while calls are added up. */
static inline u64 calls_of_all(enum lsmpmon_by kind)
{
	u64 calls;

	lsmpmon_control_lock();
	calls = calls_of_payers(kind) + calls_in(kind, lsmpmon_other_payer(kind));
	lsmpmon_control_unlock();
	return calls;
}

static inline u64 missed_in(enum lsmpmon_by kind, unsigned int column)
{
	u64 missed;

	lsmpmon_control_lock();
	missed = lsmpmon_payer_missed(kind, column, lsmpmon_payer_others(kind));
	lsmpmon_control_unlock();
	return missed;
}

static inline void make_room(enum lsmpmon_by kind)
{
	lsmpmon_control_lock();
	lsmpmon_evict(kind, true);
	lsmpmon_control_unlock();
}

#endif /* _SECURITY_LSMPMON_TESTS_PAYERS_H */
