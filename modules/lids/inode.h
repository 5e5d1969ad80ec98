/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model of LIDS: hooks of inodes
 */

#ifndef _SECURITY_LIDS_INODE_H
#define _SECURITY_LIDS_INODE_H

void lids_inode_init(void);

#endif /* _SECURITY_LIDS_INODE_H */
