/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what hook calls wait for
 */

#ifndef _SECURITY_LSMPMON_WAIT_H
#define _SECURITY_LSMPMON_WAIT_H

/* In place of the address of a lock: memory has to be reclaimed. */
#define LSMPMON_RECLAIM		1UL

void lsmpmon_waits_begin(void);
void lsmpmon_wait_begins(unsigned long what);
void lsmpmon_wait_ends(unsigned long what);

#endif /* _SECURITY_LSMPMON_WAIT_H */
