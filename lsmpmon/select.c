// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: selection by the filter
 */

#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/lsmpmon_hooks.h>
#include <linux/lsmpmon_task.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "object.h"
#include "select.h"
#include "subject.h"
#include "tree.h"

struct lsmpmon_subject __rcu *lsmpmon_subject;

static noinline __kprobes bool
lsmpmon_subject_globs(const struct lsmpmon_subject *subject)
{
	return glob_match(subject->name.text, lsmpmon_comm());
}

/* Tasks pad their names with zeroes, so literal names compare with memcmp(). */
static __always_inline bool
lsmpmon_subject_matches(const struct lsmpmon_subject *subject)
{
	if (subject->name.literal)
		/* Race with renaming, like every reader of comm. */
		return data_race(!memcmp(lsmpmon_comm(), subject->comm,
					 sizeof(subject->comm)));
	return lsmpmon_subject_globs(subject);
}

static __always_inline bool lsmpmon_task_matches(void)
{
	const unsigned int tree = READ_ONCE(lsmpmon_tree);
	const struct lsmpmon_subject *subject;
	bool matches;

	if (!in_task() || (tree && READ_ONCE(lsmpmon_of(current)->tree) != tree))
		return false;
	/* This is also an RCU read-side section, without a function call. */
	preempt_disable_notrace();
	subject = rcu_dereference_sched(lsmpmon_subject);
	matches = !subject || lsmpmon_subject_matches(subject);
	preempt_enable_notrace();
	return matches;
}

/**
 * lsmpmon_select - match the current task against the filter
 *
 * Hook calls in interrupts belong to no task.
 *
 * Context: any; called before each hook call while a filter is set.
 * Return: whether the filter rejects or selects the call, or needs its object.
 */
enum lsmpmon_selection lsmpmon_select(void)
{
	if ((rcu_access_pointer(lsmpmon_subject) || READ_ONCE(lsmpmon_tree)) &&
	    !lsmpmon_task_matches())
		return LSMPMON_REJECTED;
	return rcu_access_pointer(lsmpmon_object) ? LSMPMON_NEEDS_OBJECT :
						    LSMPMON_SELECTED;
}

NOKPROBE_SYMBOL(lsmpmon_select);

/**
 * lsmpmon_parse_subject - parse a pattern of command names
 * @name: the pattern
 *
 * Context: process context, may sleep.
 * Return: the subject, to be freed with kvfree(); -EINVAL for a name that no
 *	task can have, or -ENOMEM.
 */
struct lsmpmon_subject *lsmpmon_parse_subject(const char *name)
{
	struct lsmpmon_subject *subject;
	size_t room = sizeof(subject->text);

	subject = kvzalloc(sizeof(*subject), GFP_KERNEL);
	if (!subject)
		return ERR_PTR(-ENOMEM);
	lsmpmon_set_pattern(&subject->name, name);
	subject->name.text = subject->text;
	if (subject->name.literal)
		room = sizeof(subject->comm);
	if (strlen(name) >= room) {
		kvfree(subject);
		return ERR_PTR(-EINVAL);
	}
	strscpy(subject->text, name, sizeof(subject->text));
	strscpy(subject->comm, name, sizeof(subject->comm));
	return subject;
}
