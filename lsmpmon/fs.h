/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the files of lsmmon/
 */

#ifndef _SECURITY_LSMPMON_FS_H
#define _SECURITY_LSMPMON_FS_H

#include <linux/fs.h>
#include <linux/security.h>
#include <linux/seq_file.h>

#include "hook.h"

#define LSMPMON_ABI	1

extern const struct file_operations lsmpmon_calls_fops;
extern const struct file_operations lsmpmon_cgroups_fops;
extern const struct file_operations lsmpmon_comms_fops;
extern const struct file_operations lsmpmon_control_fops;
extern const struct file_operations lsmpmon_cpus_fops;
extern const struct file_operations lsmpmon_denials_fops;
extern const struct file_operations lsmpmon_features_fops;
extern const struct file_operations lsmpmon_filter_fops;
extern const struct file_operations lsmpmon_histogram_fops;
extern const struct file_operations lsmpmon_hooks_fops;
extern const struct file_operations lsmpmon_info_fops;
extern const struct file_operations lsmpmon_modules_fops;
extern const struct file_operations lsmpmon_reset_fops;
extern const struct file_operations lsmpmon_result_fops;
extern const struct file_operations lsmpmon_session_fops;
extern const struct file_operations lsmpmon_stacks_fops;
extern const struct file_operations lsmpmon_syscalls_fops;
extern const struct file_operations lsmpmon_verdicts_fops;

int lsmpmon_may_watch(enum lockdown_reason means);
void *lsmpmon_hooks_start(struct seq_file *m, loff_t *pos);
void *lsmpmon_hooks_next(struct seq_file *m, void *v, loff_t *pos);
void lsmpmon_hooks_stop(struct seq_file *m, void *v);
int lsmpmon_parse_switch(const char *text, size_t length);
int lsmpmon_fs_init(void);

/* The hook whose lines a table shows now, unless it shows the header. */
static inline enum lsmpmon_hook lsmpmon_hooks_current(const struct seq_file *m)
{
	return m->index - 1;
}

/* A table with lines for each hook: lsmpmon_NAME_show() shows them. */
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

#endif /* _SECURITY_LSMPMON_FS_H */
