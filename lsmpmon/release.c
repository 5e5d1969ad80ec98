// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: releases of files that io_uring closes
 *
 * An operation CLOSE only puts its file.  fput() leaves the release to the task,
 * as work for the time when it is on its way to user mode, or between two
 * operations of a worker; then it is in no operation any more.
 *
 * The task does such work newest first.  So two works of our own enclose what
 * came up during a CLOSE: one is added as it begins, and is done last; the other
 * as it ends, and is done first.  Between them the task is in the operation
 * again.  Nothing in fput() has to know of this, and nothing is done while
 * nobody watches.
 */

#include <linux/io_uring.h>
#include <linux/lsmpmon.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>

/**
 * struct lsmpmon_release - what a CLOSE of io_uring has left to do
 * @first: names the operation before that
 * @last: takes the name back after it
 * @enclosed: @first was added
 * @uring: what the task was in before
 */
struct lsmpmon_release {
	struct callback_head first;
	struct callback_head last;
	bool enclosed;
	unsigned int uring;
};

static void lsmpmon_release_first(struct callback_head *work)
{
	struct lsmpmon_release *release =
		container_of(work, struct lsmpmon_release, first);
	struct lsmpmon_task *t = &current->lsmpmon;

	release->uring = READ_ONCE(t->uring);
	WRITE_ONCE(t->uring, IORING_OP_CLOSE + 1);
}

static void lsmpmon_release_last(struct callback_head *work)
{
	struct lsmpmon_release *release =
		container_of(work, struct lsmpmon_release, last);

	if (release->enclosed)
		WRITE_ONCE(current->lsmpmon.uring, release->uring);
	kfree(release);
}

/**
 * lsmpmon_release_begin - a CLOSE of io_uring begins for the current task
 *
 * Without memory, or in a task that exits, its release will be of no operation.
 *
 * Context: process context, may sleep.
 */
void lsmpmon_release_begin(void)
{
	struct lsmpmon_release *release;

	release = kzalloc(sizeof(*release), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!release)
		return;
	init_task_work(&release->first, lsmpmon_release_first);
	init_task_work(&release->last, lsmpmon_release_last);
	if (task_work_add(current, &release->last, TWA_NONE))
		kfree(release);
}

/*
 * The newest of the current task, if work has come up since it began.  The lock
 * keeps others from taking back, and freeing, work that they gave the task.
 */
static struct lsmpmon_release *lsmpmon_release_find(void)
{
	struct callback_head *work, *newest;
	unsigned long flags;

	raw_spin_lock_irqsave(&current->pi_lock, flags);
	newest = READ_ONCE(current->task_works);
	for (work = newest; work; work = READ_ONCE(work->next))
		if (work->func == lsmpmon_release_last)
			break;
	raw_spin_unlock_irqrestore(&current->pi_lock, flags);
	if (!work || work == newest)
		return NULL;
	return container_of(work, struct lsmpmon_release, last);
}

/**
 * lsmpmon_release_end - that CLOSE ends
 *
 * Context: process context.
 */
void lsmpmon_release_end(void)
{
	struct lsmpmon_release *release = lsmpmon_release_find();

	/* That of an earlier CLOSE has its work already. */
	if (!release || release->enclosed)
		return;
	release->enclosed = true;
	/* A task that begins to exit meanwhile does none of this. */
	if (task_work_add(current, &release->first, TWA_NONE))
		release->enclosed = false;
}
