// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: calls that are counted and not timed
 */

#include <linux/kprobes.h>
#include <linux/sched.h>

#include "cell.h"
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

/**
 * lsmpmon_untimed_read_cpu - read the count of untimed calls on one CPU
 * @cpu: number of the CPU
 * @hook: the hook, or LSMPMON_HOOK_SELF
 * @verdict: the verdict
 *
 * Context: process context, may sleep.
 * Return: number of untimed calls.
 */
u64 lsmpmon_untimed_read_cpu(int cpu, enum lsmpmon_hook hook,
			     enum lsmpmon_verdict verdict)
{
	struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
	u64 count = 0;

	lsmpmon_store_hold();
	if (READ_ONCE(c->untimed))
		lsmpmon_copy(c, &c->untimed[hook][verdict], &count,
			     sizeof(count));
	lsmpmon_store_release();
	cond_resched();
	return count;
}

/**
 * lsmpmon_untimed_read - sum the counts of untimed calls over all CPUs
 * @hook: the hook, or LSMPMON_HOOK_SELF
 * @verdict: the verdict
 *
 * Context: process context, may sleep.
 * Return: number of untimed calls.
 */
u64 lsmpmon_untimed_read(enum lsmpmon_hook hook, enum lsmpmon_verdict verdict)
{
	u64 count = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		count += lsmpmon_untimed_read_cpu(cpu, hook, verdict);
	return count;
}
