/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: watchers of hook calls
 */

#ifndef _SECURITY_LSMPMON_WATCH_H
#define _SECURITY_LSMPMON_WATCH_H

#include "keys.h"

void lsmpmon_watch(enum lsmpmon_user watcher);
void lsmpmon_unwatch(enum lsmpmon_user watcher);

#endif /* _SECURITY_LSMPMON_WATCH_H */
