/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_WHOM_H
#define LSMPMON_WHOM_H

/*
 * An object as the kernel finds it, for the caller to free: a path without links in it. NULL after a complaint if
 * no hook call could ever be on it.
 */
char *whom_object(const char *name);

/* Returns 0, or -1 after a complaint if no task can have that command name. */
int whom_check_subject(const char *name);

#endif
