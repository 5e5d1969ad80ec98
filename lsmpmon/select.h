/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: selection by the filter
 */

#ifndef _SECURITY_LSMPMON_SELECT_H
#define _SECURITY_LSMPMON_SELECT_H

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>

#include "compat.h"
#include "keys.h"
#include "object.h"
#include "pattern.h"
#include "tree.h"

/* Decision of the filter before the object of a call is known. */
enum lsmpmon_selection {
	LSMPMON_REJECTED,
	LSMPMON_SELECTED,
	LSMPMON_NEEDS_OBJECT,
};

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

/* First word of the subject's name, while lsmpmon_naming is on. */
extern unsigned long lsmpmon_subject_start;

struct lsmpmon_subject *lsmpmon_parse_subject(const char *name);
void lsmpmon_set_subject_start(const struct lsmpmon_subject *subject);
bool lsmpmon_task_matches(void);

/* First word of a command name, which is padded with zeroes. */
static __always_inline unsigned long lsmpmon_first_word(const char *comm)
{
	unsigned long word;

	memcpy(&word, comm, sizeof(word));
	return word;
}

/*
 * Whether the first word of the current task's name differs from the subject's.  In an
 * interrupt, it may be either: a call there belongs to no task and is rejected anyhow.
 */
static __always_inline bool lsmpmon_starts_differently(void)
{
	if (!LSMPMON_PADS_NAMES || !static_branch_unlikely(&lsmpmon_naming))
		return false;
	/* A worker has the name of its process, which is read under RCU. */
	if (unlikely(current->flags & PF_USER_WORKER))
		return false;
	/* Race with renaming, like every reader of comm. */
	return data_race(lsmpmon_first_word(current->comm)) !=
	       READ_ONCE(lsmpmon_subject_start);
}

/**
 * lsmpmon_select - match the current task against the filter
 *
 * Hook calls in interrupts belong to no task.
 *
 * Context: any; called before each hook call while a filter is set.
 * Return: whether the filter rejects or selects the call, or needs its object.
 */
static __always_inline enum lsmpmon_selection lsmpmon_select(void)
{
	if (static_branch_unlikely(&lsmpmon_only_object))
		return LSMPMON_NEEDS_OBJECT;
	if (lsmpmon_starts_differently())
		return LSMPMON_REJECTED;
	if ((rcu_access_pointer(lsmpmon_subject) || READ_ONCE(lsmpmon_tree)) &&
	    !lsmpmon_task_matches())
		return LSMPMON_REJECTED;
	return rcu_access_pointer(lsmpmon_object) ? LSMPMON_NEEDS_OBJECT :
						    LSMPMON_SELECTED;
}

#endif /* _SECURITY_LSMPMON_SELECT_H */
