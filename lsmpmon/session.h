/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: sessions
 */

#ifndef _SECURITY_LSMPMON_SESSION_H
#define _SECURITY_LSMPMON_SESSION_H

int lsmpmon_session_begin(void);
void lsmpmon_session_end(void);

#endif /* _SECURITY_LSMPMON_SESSION_H */
