/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model of LIDS: what the current task may do to a file
 */

#ifndef _SECURITY_LIDS_OBJECT_H
#define _SECURITY_LIDS_OBJECT_H

#include "table.h"

struct dentry;
struct inode;

/* Maximum number of directories above an object: the components of the longest path. */
#define LIDS_MAX_DEPTH	(PATH_MAX / 2)

enum lids_target lids_find_above(const struct lids_table *table,
				 const struct dentry *dentry,
				 const struct lids_subject *subject);
enum lids_target lids_needed(int mask);
int lids_check_dentry(const struct dentry *dentry, enum lids_target needed);
int lids_check_inode(struct inode *inode, int mask);

#endif /* _SECURITY_LIDS_OBJECT_H */
