// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: watchers of hook calls
 */

#include <linux/mutex.h>

#include "operation.h"
#include "watch.h"

/*
 * Keeps the first watcher's beginning in one piece: control.c and the events have no
 * lock in common.  Taken under theirs.
 */
static DEFINE_MUTEX(watch_lock);

/**
 * lsmpmon_watch - add a watcher of hook calls
 * @watcher: LSMPMON_USER_MEASURE or LSMPMON_USER_TRACE
 *
 * Context: process context or early boot, may sleep.
 */
void lsmpmon_watch(enum lsmpmon_user watcher)
{
	mutex_lock(&watch_lock);
	if (!static_key_enabled(&lsmpmon_watched))
		lsmpmon_forget_operations();
	lsmpmon_keys_use(watcher);
	mutex_unlock(&watch_lock);
}

/**
 * lsmpmon_unwatch - remove a watcher of hook calls
 * @watcher: as for lsmpmon_watch()
 *
 * Context: process context, may sleep.
 */
void lsmpmon_unwatch(enum lsmpmon_user watcher)
{
	mutex_lock(&watch_lock);
	lsmpmon_keys_unuse(watcher);
	mutex_unlock(&watch_lock);
}
