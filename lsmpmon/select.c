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

#include "select.h"
#include "subject.h"

struct lsmpmon_subject __rcu *lsmpmon_subject;
unsigned long lsmpmon_subject_start __read_mostly;

static_assert(sizeof(lsmpmon_subject_start) <= TASK_COMM_LEN);

static noinline __kprobes bool
lsmpmon_subject_globs(const struct lsmpmon_subject *subject)
{
	return glob_match(subject->name.text, lsmpmon_comm());
}

/* Tasks pad their names with zeroes, so literal names compare with memcmp(). */
static __always_inline bool
lsmpmon_subject_matches(const struct lsmpmon_subject *subject)
{
	if (subject->name.literal && !LSMPMON_PADS_NAMES)
		/* Race with renaming, like every reader of comm. */
		return data_race(!strncmp(lsmpmon_comm(), subject->comm,
					  sizeof(subject->comm)));
	if (subject->name.literal)
		/* Race with renaming, like every reader of comm. */
		return data_race(!memcmp(lsmpmon_comm(), subject->comm,
					 sizeof(subject->comm)));
	return lsmpmon_subject_globs(subject);
}

/**
 * lsmpmon_task_matches - match the current task against the subject and the process tree
 *
 * Context: any; called before a hook call while the filter has a subject or a tree.
 * Return: true if the task matches both; false in an interrupt.
 */
bool lsmpmon_task_matches(void)
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

NOKPROBE_SYMBOL(lsmpmon_task_matches);

/**
 * lsmpmon_set_subject_start - have the first word of a name compared before anything else
 * @subject: a subject with a literal name
 *
 * Context: process context, before lsmpmon_naming is switched on or while it is on.
 */
void lsmpmon_set_subject_start(const struct lsmpmon_subject *subject)
{
	WRITE_ONCE(lsmpmon_subject_start, lsmpmon_first_word(subject->comm));
}

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
