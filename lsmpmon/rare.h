/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: counting a call in tables that are rarely used
 */

#ifndef _SECURITY_LSMPMON_RARE_H
#define _SECURITY_LSMPMON_RARE_H

#include "keys.h"
#include "outer.h"
#include "pair.h"
#include "payer.h"

static __always_inline void
lsmpmon_payer_count(enum lsmpmon_by kind, unsigned long offset, u64 ticks,
		    const struct lsmpmon_time *time)
{
	const unsigned int column = kind == LSMPMON_BY_TASK ? lsmpmon_task_column() :
				    kind == LSMPMON_BY_CGROUP ? lsmpmon_cgroup_column() :
				    lsmpmon_comm_column();

	if (likely(!time && column < lsmpmon_payer_limit(kind)) &&
	    likely(lsmpmon_pair_count_known(kind, lsmpmon_payer_columns(kind),
					    offset, column, ticks)))
		return;
	if (unlikely(!lsmpmon_pair_count(kind, offset / LSMPMON_OFFSET(1),
					 column, ticks, time)))
		lsmpmon_payer_miss(kind, column);
}

/* Count a call in the rarely used tables; @time is NULL unless it was disturbed. */
static __always_inline void
lsmpmon_record_rare(unsigned long offset, u64 ticks, const struct lsmpmon_time *time)
{
	if (static_branch_unlikely(&lsmpmon_comm_on))
		lsmpmon_payer_count(LSMPMON_BY_COMM, offset, ticks, time);
	if (static_branch_unlikely(&lsmpmon_cgroup_on))
		lsmpmon_payer_count(LSMPMON_BY_CGROUP, offset, ticks, time);
	if (static_branch_unlikely(&lsmpmon_task_on))
		lsmpmon_payer_count(LSMPMON_BY_TASK, offset, ticks, time);
	if (static_branch_unlikely(&lsmpmon_nested_on))
		lsmpmon_pair_count(LSMPMON_BY_OUTER, offset / LSMPMON_OFFSET(1),
				   lsmpmon_outer_column(), ticks, time);
}

#endif /* _SECURITY_LSMPMON_RARE_H */
