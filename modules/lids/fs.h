/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model of LIDS: the file of lids/
 */

#ifndef _SECURITY_LIDS_FS_H
#define _SECURITY_LIDS_FS_H

int lids_fs_init(void);

#endif /* _SECURITY_LIDS_FS_H */
