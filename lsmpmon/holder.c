// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the process that has the session
 *
 * There is one at a time, or none.  While there is one, nobody else changes what
 * a session restores.  session.c tells who it is.
 */

#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "holder.h"

/* Taken before the locks of control and filter; protects everything below. */
static DEFINE_MUTEX(holder_lock);

/* NULL if there is none. */
static struct pid *holder;

/* How the task was called that began the session. */
static char holder_comm[TASK_COMM_LEN];

/**
 * lsmpmon_holder_begin - have the current process be the holder
 * @save: called if there is none, to get ready; its error is returned
 *
 * Context: process context, may sleep.
 * Return: 0, or -EBUSY while there is a holder.
 */
int lsmpmon_holder_begin(int (*save)(void))
{
	int err;

	mutex_lock(&holder_lock);
	err = holder ? -EBUSY : save();
	if (!err) {
		holder = get_pid(task_tgid(current));
		get_task_comm(holder_comm, current);
	}
	mutex_unlock(&holder_lock);
	return err;
}

/**
 * lsmpmon_holder_end - have nobody be the holder any more
 * @restore: called while there is still one
 *
 * Context: process context, may sleep; not only in the holder.
 */
void lsmpmon_holder_end(void (*restore)(void))
{
	mutex_lock(&holder_lock);
	restore();
	put_pid(holder);
	holder = NULL;
	mutex_unlock(&holder_lock);
}

/**
 * lsmpmon_holder_enter - have the holder stay, to change what it will restore
 *
 * Context: process context, may sleep.
 * Return: 0, or -EBUSY if another process is the holder: then there is nothing
 *	to leave.
 */
int lsmpmon_holder_enter(void)
{
	mutex_lock(&holder_lock);
	if (!holder || holder == task_tgid(current))
		return 0;
	mutex_unlock(&holder_lock);
	return -EBUSY;
}

/**
 * lsmpmon_holder_leave - let the holder change again
 */
void lsmpmon_holder_leave(void)
{
	mutex_unlock(&holder_lock);
}

/**
 * lsmpmon_holder_get - who it is
 * @pid: set to its number in the caller's namespace; 0 if it is not there
 * @comm: room of TASK_COMM_LEN, where its name goes
 *
 * Context: process context, may sleep.
 * Return: false if there is none, and then nothing is set.
 */
bool lsmpmon_holder_get(pid_t *pid, char *comm)
{
	bool has_holder;

	mutex_lock(&holder_lock);
	has_holder = holder;
	if (has_holder) {
		*pid = pid_vnr(holder);
		memcpy(comm, holder_comm, sizeof(holder_comm));
	}
	mutex_unlock(&holder_lock);
	return has_holder;
}
