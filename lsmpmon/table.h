/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: a table with lines for each hook
 */

#ifndef _SECURITY_LSMPMON_TABLE_H
#define _SECURITY_LSMPMON_TABLE_H

#include <linux/fs.h>
#include <linux/seq_file.h>

#include "hook.h"

void *lsmpmon_hooks_start(struct seq_file *m, loff_t *pos);
void *lsmpmon_hooks_next(struct seq_file *m, void *v, loff_t *pos);
void lsmpmon_hooks_stop(struct seq_file *m, void *v);

/* The hook whose lines are being shown; not for the header. */
static inline enum lsmpmon_hook lsmpmon_hooks_current(const struct seq_file *m)
{
	return m->index - 1;
}

/* Define a table with lines for each hook, shown by lsmpmon_NAME_show(). */
#define LSMPMON_DEFINE_HOOK_TABLE(name)					\
static const struct seq_operations name##_seq_ops = {			\
	.start	= lsmpmon_hooks_start,					\
	.next	= lsmpmon_hooks_next,					\
	.stop	= lsmpmon_hooks_stop,					\
	.show	= lsmpmon_##name##_show,				\
};									\
									\
static int lsmpmon_##name##_open(struct inode *inode, struct file *file) \
{									\
	return seq_open(file, &name##_seq_ops);				\
}									\
									\
const struct file_operations lsmpmon_##name##_fops = {			\
	.open		= lsmpmon_##name##_open,			\
	.read		= seq_read,					\
	.llseek		= seq_lseek,					\
	.release	= seq_release,					\
}

#endif /* _SECURITY_LSMPMON_TABLE_H */
