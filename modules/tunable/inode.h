/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: hooks of inodes
 */

#ifndef _SECURITY_TUNABLE_INODE_H
#define _SECURITY_TUNABLE_INODE_H

void tunable_inode_init(void);

#endif /* _SECURITY_TUNABLE_INODE_H */
