// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/session
 *
 * A process that opens this file for writing has a session until its last descriptor
 * is closed, however the process ends.  Then the previous state of control, features
 * and filter is restored.  There is at most one session, and during it only its
 * process may write to these files and to reset.  Reading shows that process.
 *
 * The end of a session has no way to report an error.  So everything it needs is
 * allocated and registered before the session begins.
 */

#include <linux/printk.h>
#include <linux/sched.h>

#include "control.h"
#include "disturbance.h"
#include "escape.h"
#include "feature.h"
#include "files.h"
#include "filter.h"
#include "holder.h"
#include "memory.h"
#include "session.h"

/* Whether measuring was on before the session; protected like the holder. */
static bool was_measuring;

/* Save the state, and pin what is needed to restore it. */
static int lsmpmon_save(void)
{
	int err;

	was_measuring = lsmpmon_is_measuring();
	err = was_measuring ? lsmpmon_disturbance_watch() : 0;
	if (err)
		return err;
	lsmpmon_memory_pin(true);
	lsmpmon_features_save();
	lsmpmon_filter_save();
	return 0;
}

/* Restore what has changed.  Measuring is off while the state is inconsistent. */
static void lsmpmon_restore(void)
{
	const bool changed = lsmpmon_features_changed() ||
			     lsmpmon_filter_changed();

	if (changed || !was_measuring)
		lsmpmon_measure(false);
	lsmpmon_features_restore();
	lsmpmon_filter_restore();
	if (was_measuring && lsmpmon_measure(true))
		pr_warn("lsmpmon: measuring stays off after a session\n");
	if (was_measuring)
		lsmpmon_disturbance_unwatch();
	lsmpmon_memory_pin(false);
}

/**
 * lsmpmon_session_begin - begin a session of the current process
 *
 * Context: process context, may sleep.
 * Return: 0, -EBUSY during another session, or the error of registering with a
 *	tracepoint.
 */
int lsmpmon_session_begin(void)
{
	return lsmpmon_holder_begin(lsmpmon_save);
}

/**
 * lsmpmon_session_end - end the session, and restore the previous state
 *
 * Restoring a feature resets all counters.
 *
 * Context: process context, may sleep; also in a task that is being killed.
 */
void lsmpmon_session_end(void)
{
	lsmpmon_holder_end(lsmpmon_restore);
}

/* Show number and name of the holder, or `-`.  The number is 0 in other PID namespaces. */
static int lsmpmon_session_show(struct seq_file *m, void *v)
{
	char comm[TASK_COMM_LEN], name[LSMPMON_COMM_NAME];
	pid_t pid;

	if (!lsmpmon_holder_get(&pid, comm)) {
		seq_puts(m, "-\n");
		return 0;
	}
	lsmpmon_escape_name(comm, name, sizeof(name));
	seq_printf(m, "%d %s\n", pid, name);
	return 0;
}

static int lsmpmon_session_open(struct inode *inode, struct file *file)
{
	int err = single_open(file, lsmpmon_session_show, NULL);

	if (err || !(file->f_mode & FMODE_WRITE))
		return err;
	err = lsmpmon_session_begin();
	if (err)
		single_release(inode, file);
	return err;
}

static int lsmpmon_session_release(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_WRITE)
		lsmpmon_session_end();
	return single_release(inode, file);
}

const struct file_operations lsmpmon_session_fops = {
	.open		= lsmpmon_session_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= lsmpmon_session_release,
};
