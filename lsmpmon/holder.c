// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the process that has the session
 *
 * At most one process is the holder.  Meanwhile, no other process can change what
 * the session restores.  lsmmon/session shows the holder.
 */

#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "holder.h"

/* Protects everything below; taken before the locks of control and filter. */
static DEFINE_MUTEX(holder_lock);

/* The holder; NULL if there is none. */
static struct pid *holder;

/* Command name of the task that began the session. */
static char holder_comm[TASK_COMM_LEN];

/**
 * lsmpmon_holder_begin - make the current process the holder
 * @save: function that saves the state to restore
 *
 * Context: process context, may sleep.
 * Return: 0, -EBUSY while there is a holder, or the error of @save.
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
 * lsmpmon_holder_end - end the session of the holder
 * @restore: function that restores the saved state
 *
 * Context: process context of any task, may sleep.
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
 * lsmpmon_holder_enter - begin a change of state that sessions restore
 *
 * No session begins or ends until lsmpmon_holder_leave().
 *
 * Context: process context, may sleep.
 * Return: 0, or -EBUSY if another process is the holder; then do not leave.
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
 * lsmpmon_holder_leave - end a change of state that sessions restore
 *
 * Context: process context, after lsmpmon_holder_enter() has returned 0.
 */
void lsmpmon_holder_leave(void)
{
	mutex_unlock(&holder_lock);
}

/**
 * lsmpmon_holder_get - get number and name of the holder
 * @pid: set to the number in the caller's PID namespace; 0 if it has none there
 * @comm: buffer of TASK_COMM_LEN bytes for the name
 *
 * Context: process context, may sleep.
 * Return: false if there is no holder, and then nothing is set.
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
