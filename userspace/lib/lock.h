/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_LOCK_H
#define LSMPMON_LOCK_H

/*
 * Lock the monitor in @dir against other programs that take this lock, until the descriptor is closed.
 * Return: the descriptor, or -1 after a complaint that names the process holding the lock.
 */
int lock_monitor(const char *dir);

/*
 * Have the kernel restore the monitor in @dir when *@session is closed, however this program ends, and nobody else
 * write to it meanwhile. *@session is -1 if this kernel cannot do that.
 * Return: 0, or -1 after a complaint that names the process that has it.
 */
int lock_session(const char *dir, int *session);

/*
 * Who measures now, with or without a session, as "process 412 (lsmpmon top)", for the caller to free; NULL if nobody
 * does. Changes nothing and waits for nobody.
 */
char *lock_holder(const char *dir);

/* Complain that somebody else has it. Return: -1. */
int lock_session_in_use(const char *dir);

#endif
