// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: tasks that die of a fault
 *
 * If a callback or the monitor faults, the kernel ends the task without returning
 * to the faulting code, on x86 on a rewound stack.  Hook calls in progress never
 * end, and their frames are overwritten.
 */

#include <linux/init.h>
#include <linux/kdebug.h>
#include <linux/limits.h>
#include <linux/lsmpmon_task.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "death.h"
#include "write.h"

/* Drop the frames of the current task and the state of their contexts. */
static void lsmpmon_forget_calls(void)
{
	struct lsmpmon_task *t = lsmpmon_of(current);

	WRITE_ONCE(t->span, NULL);
	WRITE_ONCE(t->tracing, 0);
	WRITE_ONCE(t->uring, 0);
	WRITE_ONCE(t->depth, 0);
	WRITE_ONCE(t->waits, 0);
	memset(t->wait, 0, sizeof(t->wait));
}

/* Writers have preemption off, so in task context all of @busy is the current task's. */
static void lsmpmon_forget_writers(void)
{
	unsigned int busy;

	preempt_disable_notrace();
	busy = raw_cpu_read(lsmpmon_cpu.busy);
	/* Unfinished records are missing in some table. */
	lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.lost), busy);
	smp_wmb();	/* the counters before @busy, for readers */
	raw_cpu_write(lsmpmon_cpu.busy, 0);
	preempt_enable_notrace();
}

/* A fault in an interrupt panics, so nothing has to be done then. */
static int lsmpmon_on_death(struct notifier_block *block, unsigned long what,
			    void *args)
{
	if (what == DIE_OOPS && !in_interrupt()) {
		lsmpmon_forget_calls();
		lsmpmon_forget_writers();
	}
	return NOTIFY_DONE;
}

/* Last in the chain: a debugger that resumes the task ends the chain. */
static struct notifier_block lsmpmon_death = {
	.notifier_call	= lsmpmon_on_death,
	.priority	= INT_MIN,
};

/**
 * lsmpmon_death_init - register for faults that end a task
 *
 * Context: early boot.
 */
void __init lsmpmon_death_init(void)
{
	register_die_notifier(&lsmpmon_death);
}
