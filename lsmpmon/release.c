// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: releases of files that io_uring closes
 *
 * CLOSE of io_uring only calls fput(), which defers the release to task work.  That
 * runs when the task returns to user mode, or between two operations of a worker,
 * when the operation has ended.
 *
 * Task work runs newest first.  So two works of the monitor enclose the work that is
 * added during a CLOSE: the one added when it begins runs last, the one added when
 * it ends runs first.  Between them, the task is in the operation again.  fput()
 * needs no change, and nothing is done while hook calls are not watched.
 */

#include <linux/io_uring.h>
#include <linux/lsmpmon_uring.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>

/**
 * struct lsmpmon_release - encloses the deferred work of a CLOSE of io_uring
 * @first: work that sets the operation, before the deferred work
 * @last: work that restores the operation, after the deferred work
 * @enclosed: whether @first was added
 * @uring: operation of the task before @first
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
	struct lsmpmon_task *t = lsmpmon_of(current);

	release->uring = READ_ONCE(t->uring);
	WRITE_ONCE(t->uring, IORING_OP_CLOSE + 1);
}

static void lsmpmon_release_last(struct callback_head *work)
{
	struct lsmpmon_release *release =
		container_of(work, struct lsmpmon_release, last);

	if (release->enclosed)
		WRITE_ONCE(lsmpmon_of(current)->uring, release->uring);
	kfree(release);
}

/**
 * lsmpmon_release_begin - note that the current task begins a CLOSE of io_uring
 *
 * If there is no memory, or if the task exits, the release counts as in no operation.
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
 * Find the newest release of the current task, if work was added after it.  The lock
 * keeps others from cancelling and freeing work of the task.
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
 * lsmpmon_release_end - note that the current task ends a CLOSE of io_uring
 *
 * Context: process context.
 */
void lsmpmon_release_end(void)
{
	struct lsmpmon_release *release = lsmpmon_release_find();

	/* The release of an earlier CLOSE is enclosed already. */
	if (!release || release->enclosed)
		return;
	release->enclosed = true;
	/* Fails if the task has begun to exit meanwhile. */
	if (task_work_add(current, &release->first, TWA_NONE))
		release->enclosed = false;
}
