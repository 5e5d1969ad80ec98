/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model of LIDS: differences between kernels
 */

#ifndef _SECURITY_LIDS_COMPAT_H
#define _SECURITY_LIDS_COMPAT_H

#include <linux/version.h>

/* inode_setattr has an argument for the mapping of IDs. */
#define LIDS_SETATTR_HAS_IDMAP	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0))

#endif /* _SECURITY_LIDS_COMPAT_H */
