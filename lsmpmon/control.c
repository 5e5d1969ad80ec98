// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: on, off and reset
 *
 * A call is counted if it began while the key lsmpmon_watched was on and ended
 * while lsmpmon_paused was false.  A record reads lsmpmon_paused once, with
 * preemption off: once it is set and a grace period has passed, no counter changes.
 * A reset zeroes all counters in such a pause, and takes effect with the store that
 * ends the pause.
 */

#include <linux/cache.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "control.h"
#include "disturbance.h"
#include "keys.h"
#include "memory.h"
#include "timed.h"
#include "wipe.h"
#include "write.h"

/* Protects everything below. */
static DEFINE_MUTEX(control_lock);
static bool measuring;
static ktime_t measuring_since;
static u64 measured_ns;
static u64 reset_ns;

static void lsmpmon_resume_records(void)
{
	measuring_since = ktime_get();
	/* Pairs with smp_load_acquire() in write.h: after the zeroes of a reset. */
	smp_store_release(&lsmpmon_paused, false);
}

static void lsmpmon_pause_records(void)
{
	WRITE_ONCE(lsmpmon_paused, true);
	synchronize_rcu();
	measured_ns += ktime_to_ns(ktime_sub(ktime_get(), measuring_since));
}

/* Tables needed for measuring.  Untimed calls may still be in progress. */
static unsigned long lsmpmon_base(void)
{
	return LSMPMON_BASE |
	       (READ_ONCE(lsmpmon_ever_sampled) ? BIT(LSMPMON_TABLE_UNTIMED) : 0);
}

static int lsmpmon_begin_measuring(void)
{
	int err = lsmpmon_memory_alloc(lsmpmon_base()) ?:
		  lsmpmon_disturbance_watch();

	if (err)
		return err;
	lsmpmon_keys_use(LSMPMON_USER_MEASURE);
	lsmpmon_resume_records();
	return 0;
}

static void lsmpmon_end_measuring(void)
{
	lsmpmon_pause_records();
	lsmpmon_keys_unuse(LSMPMON_USER_MEASURE);
	lsmpmon_disturbance_unwatch();
}

/**
 * lsmpmon_measure - switch measuring on or off
 * @on: new state
 *
 * After switching off, counters no longer change.
 *
 * Context: process context or early boot, may sleep.
 * Return: 0, -ENOMEM if there is no memory for counters, or the error of
 *	registering with a tracepoint.  Nothing changes on errors.
 */
int lsmpmon_measure(bool on)
{
	int err = 0;

	mutex_lock(&control_lock);
	if (on && !measuring)
		err = lsmpmon_begin_measuring();
	else if (!on && measuring)
		lsmpmon_end_measuring();
	if (!err)
		measuring = on;
	mutex_unlock(&control_lock);
	return err;
}

/**
 * lsmpmon_is_measuring - test whether measuring is on
 *
 * Context: any.
 * Return: true if measuring is on.
 */
bool lsmpmon_is_measuring(void)
{
	return READ_ONCE(measuring);
}

/**
 * lsmpmon_control_lock - prevent switching and resets
 *
 * Context: process context, may sleep.
 */
void lsmpmon_control_lock(void)
{
	mutex_lock(&control_lock);
}

/**
 * lsmpmon_control_unlock - allow switching and resets again
 *
 * Context: process context, after lsmpmon_control_lock().
 */
void lsmpmon_control_unlock(void)
{
	mutex_unlock(&control_lock);
}

/**
 * lsmpmon_pause - pause records, and wait until counters no longer change
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 */
void lsmpmon_pause(void)
{
	if (measuring)
		lsmpmon_pause_records();
}

/**
 * lsmpmon_zero_and_resume - zero all counters and end a pause
 *
 * Frees the tables of measuring while measuring is off.
 *
 * Context: as lsmpmon_pause().
 */
void lsmpmon_zero_and_resume(void)
{
	lsmpmon_wipe();
	measured_ns = 0;
	WRITE_ONCE(reset_ns, ktime_get_boottime_ns());
	if (measuring)
		lsmpmon_resume_records();
	else
		lsmpmon_memory_free(lsmpmon_base());
}

/**
 * lsmpmon_reset - zero all counters, as of one moment
 *
 * Calls that ended before that moment are in no counter, later ones in all of their
 * counters.
 *
 * Context: process context, may sleep.
 */
void lsmpmon_reset(void)
{
	mutex_lock(&control_lock);
	lsmpmon_pause();
	lsmpmon_zero_and_resume();
	mutex_unlock(&control_lock);
}

/**
 * lsmpmon_enabled_ns - time during which measuring was on since the last reset
 *
 * Context: process context, may sleep.
 * Return: nanoseconds.
 */
u64 lsmpmon_enabled_ns(void)
{
	u64 ns;

	mutex_lock(&control_lock);
	ns = measured_ns;
	if (measuring)
		ns += ktime_to_ns(ktime_sub(ktime_get(), measuring_since));
	mutex_unlock(&control_lock);
	return ns;
}

/**
 * lsmpmon_reset_ns - when all counters were last zeroed
 *
 * Context: any.
 * Return: CLOCK_BOOTTIME in nanoseconds; 0 if they were not since the boot.
 */
u64 lsmpmon_reset_ns(void)
{
	return READ_ONCE(reset_ns);
}
