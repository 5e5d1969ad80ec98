/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the files of lsmmon/
 */

#ifndef _SECURITY_LSMPMON_FILES_H
#define _SECURITY_LSMPMON_FILES_H

#include <linux/fs.h>
#include <linux/seq_file.h>

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
extern const struct file_operations lsmpmon_nested_fops;
extern const struct file_operations lsmpmon_reset_fops;
extern const struct file_operations lsmpmon_result_fops;
extern const struct file_operations lsmpmon_session_fops;
extern const struct file_operations lsmpmon_slowest_fops;
extern const struct file_operations lsmpmon_stacks_fops;
extern const struct file_operations lsmpmon_syscalls_fops;
extern const struct file_operations lsmpmon_tasks_fops;
extern const struct file_operations lsmpmon_verdicts_fops;
extern const struct file_operations lsmpmon_waits_fops;

#endif /* _SECURITY_LSMPMON_FILES_H */
