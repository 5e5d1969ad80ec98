/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: hooks of open files
 */

#ifndef _SECURITY_TUNABLE_FILE_H
#define _SECURITY_TUNABLE_FILE_H

void tunable_file_init(void);

#endif /* _SECURITY_TUNABLE_FILE_H */
