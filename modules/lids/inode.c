// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model of LIDS: hooks of inodes
 *
 * As in the LIDS that was measured in 2010, there are no hooks of paths, and none for
 * creating or opening regular files: inode_permission checks the directory or the file.
 */

#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>

#include "compat.h"
#include "inode.h"
#include "object.h"
#include "setup.h"

static int lids_inode_permission(struct inode *inode, int mask)
{
	return lids_check_inode(inode, mask);
}

static int lids_inode_unlink(struct inode *dir, struct dentry *dentry)
{
	return lids_check_dentry(dentry, LIDS_WRITE);
}

static int lids_inode_rmdir(struct inode *dir, struct dentry *dentry)
{
	return lids_check_dentry(dentry, LIDS_WRITE);
}

static int lids_inode_symlink(struct inode *dir, struct dentry *dentry,
			      const char *old_name)
{
	return lids_check_dentry(dentry, LIDS_WRITE);
}

static int lids_inode_mkdir(struct inode *dir, struct dentry *dentry,
			    umode_t mode)
{
	return lids_check_dentry(dentry, LIDS_WRITE);
}

static int lids_inode_mknod(struct inode *dir, struct dentry *dentry,
			    umode_t mode, dev_t dev)
{
	return lids_check_dentry(dentry, LIDS_WRITE);
}

static int lids_inode_link(struct dentry *old_dentry, struct inode *dir,
			   struct dentry *new_dentry)
{
	return lids_check_dentry(old_dentry, LIDS_WRITE) ?:
	       lids_check_dentry(new_dentry, LIDS_WRITE);
}

static int lids_inode_rename(struct inode *old_dir, struct dentry *old_dentry,
			     struct inode *new_dir, struct dentry *new_dentry)
{
	return lids_check_dentry(old_dentry, LIDS_WRITE) ?:
	       lids_check_dentry(new_dentry, LIDS_WRITE);
}

static int lids_inode_readlink(struct dentry *dentry)
{
	return lids_check_dentry(dentry, LIDS_READONLY);
}

/* May be called in an RCU path walk. */
static int lids_inode_follow_link(struct dentry *dentry, struct inode *inode,
				  bool rcu)
{
	return lids_check_dentry(dentry, LIDS_READONLY);
}

/* Removal of privileges by a write, which was checked when the file was opened. */
static int check_setattr(struct dentry *dentry, struct iattr *attr)
{
	if (attr->ia_valid & ATTR_FORCE)
		return 0;
	return lids_check_dentry(dentry, LIDS_WRITE);
}

#if LIDS_SETATTR_HAS_IDMAP

static int lids_inode_setattr(struct mnt_idmap *idmap, struct dentry *dentry,
			      struct iattr *attr)
{
	return check_setattr(dentry, attr);
}

#else

static int lids_inode_setattr(struct dentry *dentry, struct iattr *attr)
{
	return check_setattr(dentry, attr);
}

#endif

static struct security_hook_list inode_hooks[] __ro_after_init = {
	LSM_HOOK_INIT(inode_permission, lids_inode_permission),
	LSM_HOOK_INIT(inode_unlink, lids_inode_unlink),
	LSM_HOOK_INIT(inode_rmdir, lids_inode_rmdir),
	LSM_HOOK_INIT(inode_symlink, lids_inode_symlink),
	LSM_HOOK_INIT(inode_mkdir, lids_inode_mkdir),
	LSM_HOOK_INIT(inode_mknod, lids_inode_mknod),
	LSM_HOOK_INIT(inode_link, lids_inode_link),
	LSM_HOOK_INIT(inode_rename, lids_inode_rename),
	LSM_HOOK_INIT(inode_readlink, lids_inode_readlink),
	LSM_HOOK_INIT(inode_follow_link, lids_inode_follow_link),
	LSM_HOOK_INIT(inode_setattr, lids_inode_setattr),
};

/**
 * lids_inode_init - add the hooks of inodes
 */
void __init lids_inode_init(void)
{
	lsmpmon_add_hooks(inode_hooks, ARRAY_SIZE(inode_hooks), &lids_id);
}
