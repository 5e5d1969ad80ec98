/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: calls that are counted and not timed
 *
 * timed.h decides for which calls timing is skipped.
 */

#ifndef _SECURITY_LSMPMON_UNTIMED_H
#define _SECURITY_LSMPMON_UNTIMED_H

#include "write.h"

/* Counters of calls that were not timed, by hook and verdict. */
#define LSMPMON_UNTIMED_SIZE \
	(LSMPMON_CELLS * LSMPMON_VERDICTS * sizeof(u64))

void lsmpmon_record_untimed_any(unsigned long offset, int rc);
u64 lsmpmon_untimed_read_cpu(int cpu, enum lsmpmon_hook hook,
			     enum lsmpmon_verdict verdict);
u64 lsmpmon_untimed_read(enum lsmpmon_hook hook, enum lsmpmon_verdict verdict);

/* Counter of the untimed calls of a hook with the verdict `allow`. */
static __always_inline u64 *lsmpmon_untimed(unsigned long offset)
{
	const size_t size = LSMPMON_OFFSET(1) / sizeof(*lsmpmon_cpu.untimed);

	return (void *)raw_cpu_read(lsmpmon_cpu.untimed) + offset / size;
}

/**
 * lsmpmon_record_untimed - record a call that was not timed
 * @offset: LSMPMON_OFFSET() of the hook
 * @rc: return value; 0 for void hooks and for the hook's default
 *
 * Does what lsmpmon_write_lock() does, except for @busy: a reader cannot see a
 * single counter half written.
 *
 * Context: any.
 */
static __always_inline void lsmpmon_record_untimed(unsigned long offset, int rc)
{
	if (unlikely(rc)) {
		lsmpmon_record_untimed_any(offset, rc);
		return;
	}
	preempt_disable_notrace();
	if (likely(!lsmpmon_is_paused()))
		lsmpmon_add(lsmpmon_untimed(offset), 1);
	preempt_enable_notrace();
}

#endif /* _SECURITY_LSMPMON_UNTIMED_H */
