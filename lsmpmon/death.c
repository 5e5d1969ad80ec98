// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: tasks that die of a fault
 *
 * A callback, or the monitor, may fault.  Then the kernel ends the task without
 * returning to where it was, on x86 from the top of its stack again.  Hook calls
 * that were under way there never end, and their frames are overwritten.
 */

#include <linux/init.h>
#include <linux/kdebug.h>
#include <linux/limits.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "death.h"
#include "record.h"

/* The frames of the current task are lost, and so are marks of their contexts. */
static void lsmpmon_forget_calls(void)
{
	struct lsmpmon_task *t = &current->lsmpmon;

	WRITE_ONCE(t->span, NULL);
	WRITE_ONCE(t->tracing, 0);
	WRITE_ONCE(t->uring, 0);
}

/*
 * A writer has preemption off, and one that was interrupted does not run: those
 * that this CPU has in task context are of the current task.
 */
static void lsmpmon_forget_writers(void)
{
	unsigned int busy;

	preempt_disable_notrace();
	busy = raw_cpu_read(lsmpmon_cpu.busy);
	/* What they had not finished is missing in some table. */
	lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.lost), busy);
	smp_wmb();	/* the counters before @busy, for readers */
	raw_cpu_write(lsmpmon_cpu.busy, 0);
	preempt_enable_notrace();
}

/* In an interrupt, the kernel dies as a whole. */
static int lsmpmon_on_death(struct notifier_block *block, unsigned long what,
			    void *args)
{
	if (what == DIE_OOPS && !in_interrupt()) {
		lsmpmon_forget_calls();
		lsmpmon_forget_writers();
	}
	return NOTIFY_DONE;
}

/* After all others: a debugger may have the task go on, and ends the chain. */
static struct notifier_block lsmpmon_death = {
	.notifier_call	= lsmpmon_on_death,
	.priority	= INT_MIN,
};

/**
 * lsmpmon_death_init - be told of tasks that die of a fault
 *
 * Context: early boot.
 */
void __init lsmpmon_death_init(void)
{
	register_die_notifier(&lsmpmon_death);
}
