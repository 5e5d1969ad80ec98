// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: what hooks do besides spinning
 *
 * They sleep, wait for a lock that another task holds, or allocate memory.  Nothing
 * ends a sleep or a wait early.
 */

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "burden.h"
#include "compat.h"
#include "delay.h"

/* Nanoseconds or bytes; 0 for none. */
static unsigned long burdens[TUNABLE_BURDENS][TUNABLE_HOOKS];

/* Number of calls that had the burden. */
static atomic_long_t borne[TUNABLE_BURDENS][TUNABLE_HOOKS];

/**
 * tunable_max_burden - the largest number for a burden
 * @burden: the burden
 *
 * Return: nanoseconds or bytes.
 */
unsigned long tunable_max_burden(enum tunable_burden burden)
{
	return burden == TUNABLE_ALLOCATION ? TUNABLE_MAX_BYTES : TUNABLE_MAX_NS;
}

/**
 * tunable_set_burden - set a burden of a hook
 * @burden: the burden
 * @hook: the hook, one of those that may sleep
 * @number: nanoseconds or bytes; 0 for none
 */
void tunable_set_burden(enum tunable_burden burden, enum tunable_hook hook,
			unsigned long number)
{
	WRITE_ONCE(burdens[burden][hook], number);
}

/**
 * tunable_get_burden - read a burden of a hook
 * @burden: the burden
 * @hook: the hook
 *
 * Return: nanoseconds or bytes; 0 for none.
 */
unsigned long tunable_get_burden(enum tunable_burden burden, enum tunable_hook hook)
{
	return READ_ONCE(burdens[burden][hook]);
}

/**
 * tunable_has_burden - whether a hook has any burden
 * @hook: the hook
 *
 * Context: any.
 * Return: true if it has.
 */
bool tunable_has_burden(enum tunable_hook hook)
{
	int burden;

	for (burden = 0; burden < TUNABLE_BURDENS; burden++)
		if (tunable_get_burden(burden, hook))
			return true;
	return false;
}

/**
 * tunable_times_borne - how many calls of a hook had a burden
 * @burden: the burden
 * @hook: the hook
 *
 * Return: their number since boot; without allocations that failed.
 */
unsigned long tunable_times_borne(enum tunable_burden burden, enum tunable_hook hook)
{
	return atomic_long_read(&borne[burden][hook]);
}

/**
 * tunable_sleep - sleep
 * @ns: at least so long
 *
 * Context: process context, may sleep.
 */
void tunable_sleep(unsigned long ns)
{
	const u64 begin = ktime_get_mono_fast_ns();
	s64 left = ns;
	ktime_t timeout;

	do {
		timeout = ns_to_ktime(left);
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule_hrtimeout(&timeout, HRTIMER_MODE_REL);
		left = ns - (ktime_get_mono_fast_ns() - begin);
	} while (left > 0);
}

/**
 * struct tunable_holder - a task that holds a lock for another one
 * @work: what that task does
 * @lock: the lock
 * @held: completed when it holds the lock
 * @waiter: the task that waits for it
 * @waits: whether @waiter is about to take the lock
 * @ns: how long to hold the lock from when @waiter waits for it
 */
struct tunable_holder {
	struct work_struct work;
	struct mutex lock;	/* protects nothing */
	struct completion held;
	struct task_struct *waiter;
	bool waits;
	unsigned long ns;
};

/* After @waits was set, the waiter sleeps for the first time when it waits for the lock. */
static bool is_waited_for(const struct tunable_holder *holder)
{
	/* Pairs with smp_store_release(): the state is of later than that. */
	return smp_load_acquire(&holder->waits) &&
	       READ_ONCE(holder->waiter->__state) == TASK_UNINTERRUPTIBLE;
}

#define POLL_NS	20000

static void hold(struct work_struct *work)
{
	struct tunable_holder *holder =
		container_of(work, struct tunable_holder, work);

	mutex_lock(&holder->lock);
	complete(&holder->held);
	while (!is_waited_for(holder))
		tunable_sleep(POLL_NS);
	tunable_sleep(holder->ns);
	mutex_unlock(&holder->lock);
}

/**
 * tunable_wait_for_lock - wait for a lock that another task holds
 * @ns: at least so long
 *
 * The call takes longer than that: the task sleeps until the other one holds the lock,
 * and after the wait until the other one has let go of it.
 *
 * Context: process context, may sleep.
 */
void tunable_wait_for_lock(unsigned long ns)
{
	struct tunable_holder holder = { .waiter = current, .ns = ns };

	mutex_init(&holder.lock);
	init_completion(&holder.held);
	INIT_WORK_ONSTACK(&holder.work, hold);
	queue_work(system_dfl_wq, &holder.work);
	wait_for_completion(&holder.held);
	/* Pairs with smp_load_acquire(): no longer sleeping for @held. */
	smp_store_release(&holder.waits, true);
	mutex_lock(&holder.lock);
	mutex_unlock(&holder.lock);
	flush_work(&holder.work);
	destroy_work_on_stack(&holder.work);
	mutex_destroy(&holder.lock);
}

/**
 * tunable_allocate - allocate memory, and free it
 * @bytes: how much
 *
 * A file system may have called the hook, so none is entered to reclaim memory.
 *
 * Context: process context, may sleep.
 * Return: whether there was as much.
 */
bool tunable_allocate(unsigned long bytes)
{
	const unsigned int flags = memalloc_nofs_save();
	void *memory = kvmalloc(bytes, GFP_KERNEL | __GFP_NOWARN);
	const bool enough = memory;

	kvfree(memory);
	memalloc_nofs_restore(flags);
	return enough;
}

static bool bear_one(enum tunable_burden burden, unsigned long number)
{
	switch (burden) {
	case TUNABLE_SLEEP:
		tunable_sleep(number);
		return true;
	case TUNABLE_LOCK:
		tunable_wait_for_lock(number);
		return true;
	default:
		return tunable_allocate(number);
	}
}

/**
 * tunable_bear - do what the burdens of a hook are, one after the other
 * @hook: the hook
 *
 * Context: process context, may sleep.
 */
void tunable_bear(enum tunable_hook hook)
{
	unsigned long number;
	int burden;

	for (burden = 0; burden < TUNABLE_BURDENS; burden++) {
		number = tunable_get_burden(burden, hook);
		if (number && bear_one(burden, number))
			atomic_long_inc(&borne[burden][hook]);
	}
}
