// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model of LIDS: what the current task may do to a file
 *
 * Of the file and the directories above it, up to the root of its file system, the
 * nearest one with a rule for the task decides.  Parents are followed under RCU, which
 * keeps them from being freed, without a lock.  During a rename, which needs write
 * access to both places, either place may be used.
 */

#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/rcupdate.h>

#include "object.h"
#include "task.h"

/**
 * lids_find_above - find what a subject may do to a file
 * @table: the access list
 * @dentry: the file; a negative dentry is skipped, so that its directory decides
 * @subject: the subject
 *
 * Context: any, under RCU.
 * Return: what is allowed: LIDS_WRITE without a rule; LIDS_DENY below more than
 *	LIDS_MAX_DEPTH directories, so that deep trees neither evade rules nor take
 *	unlimited time.
 */
enum lids_target lids_find_above(const struct lids_table *table,
				 const struct dentry *dentry,
				 const struct lids_subject *subject)
{
	int depth;

	for (depth = 0; depth < LIDS_MAX_DEPTH; depth++) {
		const struct inode *inode = d_inode_rcu(dentry);
		const struct dentry *parent = READ_ONCE(dentry->d_parent);

		if (inode) {
			const struct lids_id id = lids_id_of(inode);
			int target = lids_find(table, &id, subject);

			if (target != LIDS_NO_RULE)
				return target;
		}
		if (parent == dentry)
			return LIDS_WRITE;
		dentry = parent;
	}
	return LIDS_DENY;
}

/**
 * lids_needed - target that has to be allowed for an access
 * @mask: as for inode_permission
 *
 * Context: any.
 * Return: the target.
 */
enum lids_target lids_needed(int mask)
{
	if (mask & MAY_APPEND)
		return LIDS_APPEND;
	return mask & MAY_WRITE ? LIDS_WRITE : LIDS_READONLY;
}

/**
 * lids_check_dentry - check an access of the current task to a file
 * @dentry: the file, which may not exist yet
 * @needed: target that has to be allowed
 *
 * Context: any.
 * Return: 0 or -EACCES.
 */
int lids_check_dentry(const struct dentry *dentry, enum lids_target needed)
{
	const struct lids_table *table;
	int err = 0;

	rcu_read_lock();
	table = rcu_dereference(lids_table);
	if (table && lids_find_above(table, dentry, lids_current()) < needed)
		err = -EACCES;
	rcu_read_unlock();
	return err;
}

/*
 * For a search, only the rules of the directory itself are checked, since the path
 * above it was checked before.  The same applies to an inode without a name.
 */
static enum lids_target allowed(const struct lids_table *table,
				struct inode *inode, int mask)
{
	const struct lids_id id = lids_id_of(inode);
	const struct dentry *dentry = NULL;
	int target;

	if (!S_ISDIR(inode->i_mode) || (mask & (MAY_READ | MAY_WRITE | MAY_APPEND)))
		dentry = d_find_alias_rcu(inode);
	if (dentry)
		return lids_find_above(table, dentry, lids_current());
	target = lids_find(table, &id, lids_current());
	return target == LIDS_NO_RULE ? LIDS_WRITE : target;
}

/**
 * lids_check_inode - check an access of the current task to an inode
 * @inode: the inode; if it has several names, one of them is checked
 * @mask: as for inode_permission
 *
 * Context: any, also in an RCU path walk.
 * Return: 0 or -EACCES.
 */
int lids_check_inode(struct inode *inode, int mask)
{
	const struct lids_table *table;
	int err = 0;

	if (!(mask & (MAY_READ | MAY_WRITE | MAY_EXEC | MAY_APPEND)))
		return 0;
	rcu_read_lock();
	table = rcu_dereference(lids_table);
	if (table && allowed(table, inode, mask) < lids_needed(mask))
		err = -EACCES;
	rcu_read_unlock();
	return err;
}
