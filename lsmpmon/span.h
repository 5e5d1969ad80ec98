/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: from two clock reads to a record
 */

#ifndef _SECURITY_LSMPMON_SPAN_H
#define _SECURITY_LSMPMON_SPAN_H

#include "store.h"

/*
 * Whether spans that end now are recorded.  A variable and not a static key:
 * a store to it is seen by all CPUs as of one moment.  See control.c.
 */
extern bool lsmpmon_paused;

#endif /* _SECURITY_LSMPMON_SPAN_H */
