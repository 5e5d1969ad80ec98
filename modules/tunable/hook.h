/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: the hooks with a delay
 */

#ifndef _SECURITY_TUNABLE_HOOK_H
#define _SECURITY_TUNABLE_HOOK_H

#include <linux/types.h>

/**
 * enum tunable_hook - hooks with a delay: those of the paper's Table 4
 * @TUNABLE_BPRM_CREDS_FOR_EXEC: a program is executed; bprm_set_creds then
 * @TUNABLE_INODE_ALLOC_SECURITY: an inode gets its blob
 * @TUNABLE_INODE_INIT_SECURITY: a new file gets its label
 * @TUNABLE_INODE_SETXATTR: an extended attribute is set
 * @TUNABLE_INODE_SECID: the security id of an inode is read
 * @TUNABLE_INODE_CREATE: a file is created
 * @TUNABLE_FILE_PERMISSION: an open file is read or written
 * @TUNABLE_INODE_PERMISSION: a directory is searched, a file opened
 * @TUNABLE_HOOKS: number of hooks
 */
enum tunable_hook {
	TUNABLE_BPRM_CREDS_FOR_EXEC,
	TUNABLE_INODE_ALLOC_SECURITY,
	TUNABLE_INODE_INIT_SECURITY,
	TUNABLE_INODE_SETXATTR,
	TUNABLE_INODE_SECID,
	TUNABLE_INODE_CREATE,
	TUNABLE_FILE_PERMISSION,
	TUNABLE_INODE_PERMISSION,
	TUNABLE_HOOKS
};

extern const char *const tunable_hook_names[TUNABLE_HOOKS];

bool tunable_may_sleep(enum tunable_hook hook);
int tunable_parse_hook(const char *name);

#endif /* _SECURITY_TUNABLE_HOOK_H */
