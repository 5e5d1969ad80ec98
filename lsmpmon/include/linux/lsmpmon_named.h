/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: calls of a vendor's
 *
 * Functions of a vendor's that security.c calls by name, beside the callbacks of
 * a hook.  Linux has none: "make apply NAMED=..." writes those that it is asked
 * for into a kernel tree; see lsmpmon_scope.h.
 */

#ifndef _LINUX_LSMPMON_NAMED_H
#define _LINUX_LSMPMON_NAMED_H

/* X(hook, when, module, where it is built), as in LSMPMON_NAMED_CALLBACKS() */
#define LSMPMON_VENDOR_CALLBACKS(X)

/* Their numbers (when) begin with that: they are behind those of Linux. */
#define LSMPMON_VENDOR_FIRST	4

/* How many one hook has at most. */
#define LSMPMON_VENDOR_WHENS	0

/* Their names, each behind a comma. */
#define LSMPMON_VENDOR_MODULES	""

#endif /* _LINUX_LSMPMON_NAMED_H */
