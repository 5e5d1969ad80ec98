// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: hooks of inodes
 *
 * The label of a file is its extended attribute security.test, cached as an
 * integer in the blob of its inode.  It is read when the inode gets its first
 * dentry.  New files get the label of the task that creates them.
 */

#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/init.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "delay.h"
#include "inode.h"
#include "label.h"

static int tunable_inode_alloc_security(struct inode *inode)
{
	tunable_of_inode(inode)->label = TUNABLE_UNREAD;
	tunable_delay(TUNABLE_INODE_ALLOC_SECURITY, NULL, false);
	return 0;
}

/* Anything longer on a disk is not a label. */
#define LONGEST_LABEL	sizeof("untrusted")

/*
 * Keep a label that was set in the meantime.  A file system without xattrs is
 * asked only once as well.
 */
static void tunable_d_instantiate(struct dentry *dentry, struct inode *inode)
{
	char value[LONGEST_LABEL];
	ssize_t length;
	int label;

	if (!inode || READ_ONCE(tunable_of_inode(inode)->label))
		return;
	length = __vfs_getxattr(dentry, inode, TUNABLE_XATTR, value,
				sizeof(value));
	label = length > 0 ? tunable_parse_label(value, length) : -EINVAL;
	cmpxchg(&tunable_of_inode(inode)->label, TUNABLE_UNREAD,
		label < 0 ? TUNABLE_IGNORED : label);
}

/* A new file's label; NULL if there is none to store, or no memory. */
static char *inherit(struct inode *inode, const struct inode *dir)
{
	const enum tunable_label label = tunable_task_label();

	tunable_delay(TUNABLE_INODE_INIT_SECURITY, dir, true);
	WRITE_ONCE(tunable_of_inode(inode)->label, label);
	if (label == TUNABLE_IGNORED)
		return NULL;
	return kstrdup(tunable_label_name(label), GFP_NOFS);
}

static int tunable_inode_create(struct inode *dir, struct dentry *dentry, umode_t mode)
{
	tunable_delay(TUNABLE_INODE_CREATE, dir, true);
	return 0;
}

static int may_label(void)
{
	return capable(CAP_MAC_ADMIN) ? 0 : -EPERM;
}

static int tunable_inode_setxattr(tunable_idmap *idmap, struct dentry *dentry,
				  const char *name, const void *value, size_t size,
				  int flags)
{
	int err;

	tunable_delay(TUNABLE_INODE_SETXATTR, d_backing_inode(dentry), true);
	err = tunable_cap_setxattr(dentry, name, value, size, flags);
	if (err || strcmp(name, TUNABLE_XATTR))
		return err;
	err = may_label();
	if (err)
		return err;
	return min(tunable_parse_label(value, size), 0);
}

static void tunable_inode_post_setxattr(struct dentry *dentry, const char *name,
					const void *value, size_t size, int flags)
{
	int label;

	if (strcmp(name, TUNABLE_XATTR))
		return;
	label = tunable_parse_label(value, size);
	if (label > 0)
		WRITE_ONCE(tunable_of_inode(d_backing_inode(dentry))->label,
			   label);
}

static void tunable_inode_post_removexattr(struct dentry *dentry, const char *name)
{
	if (!strcmp(name, TUNABLE_XATTR))
		WRITE_ONCE(tunable_of_inode(d_backing_inode(dentry))->label,
			   TUNABLE_IGNORED);
}

/* Without a hook after the removal, treat the label as removed now. */
static int tunable_inode_removexattr(tunable_idmap *idmap, struct dentry *dentry,
				     const char *name)
{
	int err = tunable_cap_removexattr(idmap, dentry, name);

	if (err || strcmp(name, TUNABLE_XATTR))
		return err;
	err = may_label();
	if (!err && !TUNABLE_HAS_POST_REMOVEXATTR)
		tunable_inode_post_removexattr(dentry, name);
	return err;
}

/*
 * Audit and IMA expect an id that its module can translate.  Labels have none:
 * they would replace the ids of another module.
 */
static void tunable_inode_getsecid(struct inode *inode, tunable_secid *secid)
{
	tunable_delay(TUNABLE_INODE_SECID, inode, false);
}

/*
 * May be called in an RCU path walk, which is repeated without RCU if something has to
 * sleep.
 */
static int tunable_inode_permission(struct inode *inode, int mask)
{
	const bool may_sleep = !(mask & MAY_NOT_BLOCK);

	if (!may_sleep && tunable_has_to_sleep(TUNABLE_INODE_PERMISSION, inode))
		return -ECHILD;
	tunable_delay(TUNABLE_INODE_PERMISSION, inode, may_sleep);
	return 0;
}

#if TUNABLE_HAS_XATTR_SLOTS

static int tunable_inode_init_security(struct inode *inode, struct inode *dir,
				       const struct qstr *qstr, struct xattr *xattrs,
				       int *xattr_count)
{
	char *value = inherit(inode, dir);
	struct xattr *xattr;

	if (!value)
		return tunable_inode_label(inode) == TUNABLE_IGNORED ?
			-EOPNOTSUPP : -ENOMEM;
	xattr = lsm_get_xattr_slot(xattrs, xattr_count);
	if (!xattr) {
		kfree(value);
		return 0;
	}
	xattr->name = TUNABLE_XATTR_SUFFIX;
	xattr->value = value;
	xattr->value_len = strlen(value);
	return 0;
}

#else

static struct security_hook_list init_hook __ro_after_init;

/*
 * The first error stops the loop over modules, and the last module with an
 * xattr wins: so provide one only as the last module, if no other has.
 */
static int tunable_inode_init_security(struct inode *inode, struct inode *dir,
				       const struct qstr *qstr, const char **name,
				       void **value, size_t *length)
{
	char *label = inherit(inode, dir);

	if (init_hook.list.next || !name || *name) {
		kfree(label);
		return 0;
	}
	if (!label)
		return tunable_inode_label(inode) == TUNABLE_IGNORED ?
			-EOPNOTSUPP : -ENOMEM;
	*name = TUNABLE_XATTR_SUFFIX;
	*value = label;
	*length = strlen(label);
	return 0;
}

#endif

static struct security_hook_list init_hook __ro_after_init =
	LSM_HOOK_INIT(inode_init_security, tunable_inode_init_security);

static struct security_hook_list inode_hooks[] __ro_after_init = {
	LSM_HOOK_INIT(inode_alloc_security, tunable_inode_alloc_security),
	LSM_HOOK_INIT(d_instantiate, tunable_d_instantiate),
	LSM_HOOK_INIT(inode_create, tunable_inode_create),
	LSM_HOOK_INIT(inode_setxattr, tunable_inode_setxattr),
	LSM_HOOK_INIT(inode_post_setxattr, tunable_inode_post_setxattr),
	LSM_HOOK_INIT(inode_removexattr, tunable_inode_removexattr),
#if TUNABLE_HAS_POST_REMOVEXATTR
	LSM_HOOK_INIT(inode_post_removexattr, tunable_inode_post_removexattr),
#endif
	LSM_HOOK_INIT(TUNABLE_SECID_HOOK, tunable_inode_getsecid),
	LSM_HOOK_INIT(inode_permission, tunable_inode_permission),
};

/**
 * tunable_inode_init - add the hooks of inodes
 */
void __init tunable_inode_init(void)
{
	tunable_add_hooks(inode_hooks, ARRAY_SIZE(inode_hooks));
	tunable_add_hooks(&init_hook, 1);
}
