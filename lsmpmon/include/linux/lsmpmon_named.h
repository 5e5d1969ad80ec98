/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: functions of vendors
 *
 * Functions of a vendor that security.c calls by name, beside the callbacks of a
 * hook.  Linux has none: "make apply NAMED=..." adds them to this file in a kernel
 * tree.  See lsmpmon_scope.h.
 */

#ifndef _LINUX_LSMPMON_NAMED_H
#define _LINUX_LSMPMON_NAMED_H

/* X(hook, when, module, config option), as in LSMPMON_NAMED_CALLBACKS() */
#define LSMPMON_VENDOR_CALLBACKS(X)

/* First value of "when", after those of Linux. */
#define LSMPMON_VENDOR_FIRST	4

/* Maximum number of functions in one hook. */
#define LSMPMON_VENDOR_WHENS	0

/* Names of the modules, each after a comma. */
#define LSMPMON_VENDOR_MODULES	""

#endif /* _LINUX_LSMPMON_NAMED_H */
