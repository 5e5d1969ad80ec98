// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: faults in a callback, for tests of the monitor
 *
 * The kernel ends a task that faults, without ending the hook calls in progress.  The
 * tests check that the monitor is still consistent afterwards.
 */

#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/lsmpmon_task.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <trace/events/sched.h>

#include "../lsmpmon/record.h"
#include "compat.h"
#include "fault.h"

/* What the next call does instead of waiting. */
enum {
	TUNABLE_WAITS,
	TUNABLE_FAULTS,
	TUNABLE_FAULTS_WRITING,	/* while the monitor writes a record */
};

static const char *const names[] = { "none", "call", "record" };
static atomic_t next = ATOMIC_INIT(TUNABLE_WAITS);

/* Number of tasks that exited with a span still linked. */
static atomic_t with_span = ATOMIC_INIT(0);

/* Protects the probe, which is registered once. */
static DEFINE_MUTEX(probe_lock);
static bool has_probe;

static void TUNABLE_ON_EXIT(on_exit, void *data, struct task_struct *task)
{
	if (lsmpmon_of(task)->span)
		atomic_inc(&with_span);
}

static int watch_exits(void)
{
	int err = 0;

	mutex_lock(&probe_lock);
	if (!has_probe)
		err = register_trace_sched_process_exit(on_exit, NULL);
	has_probe |= !err;
	mutex_unlock(&probe_lock);
	return err;
}

/**
 * tunable_fault - fault if a write to fault has requested it
 *
 * Context: any.
 */
void tunable_fault(void)
{
	int what = TUNABLE_WAITS;

	if (unlikely(atomic_read(&next)))
		what = atomic_xchg(&next, TUNABLE_WAITS);
	if (what == TUNABLE_WAITS)
		return;
	if (what == TUNABLE_FAULTS_WRITING && !lsmpmon_write_lock())
		return;
	BUG();
}

/**
 * tunable_set_fault - handle a write to fault
 * @line: what was written, without a newline at its end
 *
 * Context: process context, may sleep.
 * Return: 0; -EINVAL for anything but "none", "call" and "record"; or the error of
 *	registering with a tracepoint.  Nothing changes on errors.
 */
int tunable_set_fault(char *line)
{
	int what = match_string(names, ARRAY_SIZE(names), line);
	int err;

	if (what < 0)
		return -EINVAL;
	err = watch_exits();
	if (!err)
		atomic_set(&next, what);
	return err;
}

/**
 * tunable_fault_show - show fault
 * @m: the file
 * @v: not used
 *
 * Return: 0.
 */
int tunable_fault_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%s %d\n", names[atomic_read(&next)],
		   atomic_read(&with_span));
	return 0;
}
