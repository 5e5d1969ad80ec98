/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: selection by the filter
 */

#ifndef _SECURITY_LSMPMON_SELECT_H
#define _SECURITY_LSMPMON_SELECT_H

#include <linux/sched.h>
#include <linux/types.h>

#include "pattern.h"

/**
 * struct lsmpmon_subject - subject of the filter
 * @name: pattern of command names
 * @comm: the name padded with zeroes, if @name is literal
 * @text: the name as it was written
 */
struct lsmpmon_subject {
	struct lsmpmon_pattern name;
	char comm[TASK_COMM_LEN];
	char text[4 * TASK_COMM_LEN];
};

/* Read under RCU; NULL while there is none. */
extern struct lsmpmon_subject __rcu *lsmpmon_subject;

struct lsmpmon_subject *lsmpmon_parse_subject(const char *name);

#endif /* _SECURITY_LSMPMON_SELECT_H */
