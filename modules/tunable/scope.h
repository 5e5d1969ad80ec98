/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: which calls the delays apply to
 */

#ifndef _SECURITY_TUNABLE_SCOPE_H
#define _SECURITY_TUNABLE_SCOPE_H

#include <linux/types.h>

#include "label.h"

#define TUNABLE_SUBJECT_SIZE	64

/**
 * struct tunable_scope - the delays apply to calls that match all of these
 * @subject: command name of the task, a pattern; empty for all
 * @task: label of the task, or TUNABLE_UNREAD for all
 * @object: label of the inode, or TUNABLE_UNREAD for all
 */
struct tunable_scope {
	char subject[TUNABLE_SUBJECT_SIZE];
	enum tunable_label task;
	enum tunable_label object;
};

int tunable_parse_scope(const char *line, struct tunable_scope *scope);
bool tunable_scope_has(const struct tunable_scope *scope, const char *subject,
		       enum tunable_label task, enum tunable_label object);
bool tunable_in_scope(const struct inode *inode);
int tunable_set_scope(char *line);
void tunable_get_scope(struct tunable_scope *scope);

#endif /* _SECURITY_TUNABLE_SCOPE_H */
