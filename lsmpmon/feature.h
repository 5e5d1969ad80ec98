/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: features besides hook times
 */

#ifndef _SECURITY_LSMPMON_FEATURE_H
#define _SECURITY_LSMPMON_FEATURE_H

#include <linux/jump_label.h>

#include "calls.h"

enum lsmpmon_feature {
	LSMPMON_FEATURE_SYSCALL,
	LSMPMON_FEATURE_MODULE,
	LSMPMON_FEATURE_HISTOGRAM,
#if LSMPMON_HAS_CALLS
	LSMPMON_FEATURE_CALLS,
#endif
	LSMPMON_FEATURES,
};

DECLARE_STATIC_KEY_FALSE(lsmpmon_syscall_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_module_on);
DECLARE_STATIC_KEY_FALSE(lsmpmon_histogram_on);

/* True while lsmpmon_exit() has more to do than to count. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_extras);

int lsmpmon_parse_feature(char *text, bool *on);
int lsmpmon_feature_switch(enum lsmpmon_feature feature, bool on);

#endif /* _SECURITY_LSMPMON_FEATURE_H */
