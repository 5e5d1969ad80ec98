/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: features besides hook times
 */

#ifndef _SECURITY_LSMPMON_FEATURE_H
#define _SECURITY_LSMPMON_FEATURE_H

#include <linux/seq_file.h>
#include <linux/types.h>

#include "compat.h"

enum lsmpmon_feature {
	LSMPMON_FEATURE_SYSCALL,
	LSMPMON_FEATURE_MODULE,
	LSMPMON_FEATURE_HISTOGRAM,
#if LSMPMON_HAS_CALLS
	LSMPMON_FEATURE_CALLS,
#endif
	LSMPMON_FEATURE_STACK,
	LSMPMON_FEATURE_COMM,
#if LSMPMON_HAS_CGROUPS
	LSMPMON_FEATURE_CGROUP,
#endif
	LSMPMON_FEATURE_TASK,
	LSMPMON_FEATURE_SLOWEST,
	LSMPMON_FEATURE_WAITS,
	LSMPMON_FEATURE_NESTED,
	LSMPMON_FEATURE_TIMED,
	LSMPMON_FEATURES,
};

int lsmpmon_parse_feature(char *text, unsigned int *value);
int lsmpmon_feature_switch(enum lsmpmon_feature feature, unsigned int value);
void lsmpmon_features_list(struct seq_file *m);
void lsmpmon_features_save(void);
bool lsmpmon_features_changed(void);
void lsmpmon_features_restore(void);

#endif /* _SECURITY_LSMPMON_FEATURE_H */
