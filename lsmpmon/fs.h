/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the directory in securityfs
 */

#ifndef _SECURITY_LSMPMON_FS_H
#define _SECURITY_LSMPMON_FS_H

int lsmpmon_fs_init(void);

#endif /* _SECURITY_LSMPMON_FS_H */
