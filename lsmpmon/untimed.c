// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: calls that are counted and not timed
 */

#include <linux/kprobes.h>

#include "denial.h"
#include "untimed.h"

/**
 * lsmpmon_record_untimed_any - lsmpmon_record_untimed() for any verdict
 * @offset: LSMPMON_OFFSET() of the hook
 * @rc: return value
 *
 * Context: any.
 */
noinline void lsmpmon_record_untimed_any(unsigned long offset, int rc)
{
	const bool denied = lsmpmon_denies(rc);

	if (!lsmpmon_write_lock())
		return;
	lsmpmon_add(lsmpmon_untimed(offset) +
		    (denied ? LSMPMON_DENY : LSMPMON_ALLOW), 1);
	if (denied)
		lsmpmon_denial_count(raw_cpu_ptr(&lsmpmon_cpu),
				     offset / LSMPMON_OFFSET(1), rc, false);
	lsmpmon_write_unlock();
}

NOKPROBE_SYMBOL(lsmpmon_record_untimed_any);
