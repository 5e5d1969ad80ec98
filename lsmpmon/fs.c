// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the files of lsmmon/
 *
 * The files are restricted to CAP_SYS_ADMIN in the initial user namespace, since
 * the duration of security checks is a side channel.
 */

#include <linux/err.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/security.h>

#include "access.h"
#include "compat.h"
#include "files.h"
#include "fs.h"

/* A file; @fops are its operations after lsmpmon_open() has checked the caller. */
struct lsmpmon_node {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
};

static const struct lsmpmon_node nodes[] = {
	{ "control",	0600, &lsmpmon_control_fops },
	{ "reset",	0200, &lsmpmon_reset_fops },
	{ "filter",	0600, &lsmpmon_filter_fops },
	{ "features",	0600, &lsmpmon_features_fops },
	{ "session",	0600, &lsmpmon_session_fops },
	{ "result",	0400, &lsmpmon_result_fops },
	{ "verdicts",	0400, &lsmpmon_verdicts_fops },
	{ "denials",	0400, &lsmpmon_denials_fops },
	{ "cpus",	0400, &lsmpmon_cpus_fops },
	{ "syscalls",	0400, &lsmpmon_syscalls_fops },
#if LSMPMON_HAS_CALLS
	{ "calls",	0400, &lsmpmon_calls_fops },
#endif
	{ "modules",	0400, &lsmpmon_modules_fops },
	{ "stacks",	0400, &lsmpmon_stacks_fops },
	{ "comms",	0400, &lsmpmon_comms_fops },
#if LSMPMON_HAS_CGROUPS
	{ "cgroups",	0400, &lsmpmon_cgroups_fops },
#endif
	{ "tasks",	0400, &lsmpmon_tasks_fops },
	{ "nested",	0400, &lsmpmon_nested_fops },
	{ "waits",	0400, &lsmpmon_waits_fops },
	{ "histogram",	0400, &lsmpmon_histogram_fops },
	{ "slowest",	0400, &lsmpmon_slowest_fops },
	{ "hooks",	0400, &lsmpmon_hooks_fops },
	{ "info",	0400, &lsmpmon_info_fops },
};

/*
 * Open any of the files.  File modes only require root, which may be the root of a
 * user namespace, so check the caller here.
 */
static int lsmpmon_open(struct inode *inode, struct file *file)
{
	const struct lsmpmon_node *node = inode->i_private;
	int err = lsmpmon_may_watch(LOCKDOWN_TRACEFS);

	if (err)
		return err;
	replace_fops(file, fops_get(node->fops));
	return node->fops->open ? node->fops->open(inode, file) : 0;
}

static const struct file_operations lsmpmon_checked_fops = {
	.open		= lsmpmon_open,
};

/**
 * lsmpmon_fs_init - create lsmmon/ and its files in securityfs
 *
 * Context: process context, late in the boot.
 * Return: 0, or the error of securityfs_create_file(), after removing all files.
 */
int __init lsmpmon_fs_init(void)
{
	struct dentry *dir = securityfs_create_dir("lsmmon", NULL);
	struct dentry *made[ARRAY_SIZE(nodes)];
	int i, err;

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	for (i = 0; i < ARRAY_SIZE(nodes); i++) {
		made[i] = securityfs_create_file(nodes[i].name, nodes[i].mode,
						 dir, (void *)&nodes[i],
						 &lsmpmon_checked_fops);
		if (IS_ERR(made[i]))
			goto out_remove;
	}
	return 0;

out_remove:
	err = PTR_ERR(made[i]);
	while (i--)
		securityfs_remove(made[i]);
	securityfs_remove(dir);
	return err;
}
