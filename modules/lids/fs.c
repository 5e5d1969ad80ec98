// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model of LIDS: the file of lids/
 *
 * Only the administrator of the machine may use it.
 */

#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "fs.h"
#include "setup.h"
#include "table.h"

/* Longer than any valid input: two names, a target and a level. */
#define LINE_SIZE	(2 * PATH_MAX + 32)

static int rules_show(struct seq_file *m, void *v)
{
	seq_puts(m, "target object subject level\n");
	lids_show_rules(m);
	return 0;
}

static int rules_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return single_open(file, rules_show, NULL);
}

/* An empty line removes all rules, any other adds one. */
static int set_rule(char *text)
{
	struct lids_line line;
	struct lids_rule rule;
	int err;

	if (!*text) {
		lids_clear_rules();
		return 0;
	}
	err = lids_parse(text, &line) ?: lids_resolve(&line, &rule);
	return err ?: lids_add_rule(&rule);
}

/*
 * rules_write - write to rules
 *
 * Return: @length; -EINVAL for invalid input or a zero byte in it; -EFAULT or
 *	-ENOMEM; what lids_resolve() and lids_add_rule() return.  Nothing
 *	changes on errors.
 */
static ssize_t rules_write(struct file *file, const char __user *buffer,
			   size_t length, loff_t *pos)
{
	int err = -EINVAL;
	size_t end;
	char *text;

	if (!length || length >= LINE_SIZE)
		return -EINVAL;
	text = memdup_user_nul(buffer, length);
	if (IS_ERR(text))
		return PTR_ERR(text);
	end = length - (text[length - 1] == '\n');
	text[end] = '\0';
	if (strlen(text) == end)
		err = set_rule(text);
	kfree(text);
	return err ?: length;
}

static const struct file_operations rules_fops = {
	.open		= rules_open,
	.read		= seq_read,
	.write		= rules_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/**
 * lids_fs_init - create lids/ and its file in securityfs
 *
 * Return: 0 or the error of securityfs, after removing all.
 */
int __init lids_fs_init(void)
{
	struct dentry *dir = securityfs_create_dir(LIDS_NAME, NULL);
	struct dentry *rules;

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	rules = securityfs_create_file("rules", 0600, dir, NULL, &rules_fops);
	if (IS_ERR(rules))
		securityfs_remove(dir);
	return PTR_ERR_OR_ZERO(rules);
}
