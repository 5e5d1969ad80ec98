/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: the files of tunable/
 */

#ifndef _SECURITY_TUNABLE_FS_H
#define _SECURITY_TUNABLE_FS_H

int tunable_set_delay(char *line);
int tunable_set_hook(char *line);
int tunable_set_sleep(char *line);
int tunable_set_lock(char *line);
int tunable_set_allocation(char *line);
int tunable_fs_init(void);

#endif /* _SECURITY_TUNABLE_FS_H */
