/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: names of objects
 */

#ifndef _SECURITY_LSMPMON_NAME_H
#define _SECURITY_LSMPMON_NAME_H

#include <linux/fs.h>
#include <linux/lsmpmon_object.h>

#include "path.h"

bool lsmpmon_has_name(const struct lsmpmon_object *object,
		      enum lsmpmon_object_kind kind, const void *argument,
		      int length);

/* Files on internal mounts of the kernel have no names. */
static inline bool lsmpmon_has_names(const struct inode *inode)
{
	return !(inode->i_sb->s_flags & (SB_NOUSER | SB_KERNMOUNT));
}

#endif /* _SECURITY_LSMPMON_NAME_H */
