/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_LOCK_H
#define LSMPMON_LOCK_H

/*
 * Lock the monitor in @dir against other programs that take this lock, until the descriptor is closed.
 * Return: the descriptor, or -1 after a complaint that names the process holding the lock.
 */
int lock_monitor(const char *dir);

#endif
