// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: whom the delays meet
 */

#include <linux/glob.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "scope.h"

/* NULL: everyone. */
static struct tunable_scope __rcu *tunable_scope;

/* Guards changes of it. */
static DEFINE_MUTEX(scope_lock);

static const struct tunable_scope everyone;

/* One that can be some task's name. */
static int parse_subject(const char *name, char *subject)
{
	const bool literal = !strpbrk(name, "*?[\\");

	if (strlen(name) >= (literal ? TASK_COMM_LEN : TUNABLE_SUBJECT_SIZE))
		return -EINVAL;
	memset(subject, 0, TUNABLE_SUBJECT_SIZE);
	strscpy(subject, name, TUNABLE_SUBJECT_SIZE);
	return 0;
}

static int parse_label(const char *name, enum tunable_label *label)
{
	const int parsed = *name ? tunable_parse_label(name, strlen(name)) :
				   TUNABLE_UNREAD;

	if (parsed < 0)
		return parsed;
	*label = parsed;
	return 0;
}

/**
 * tunable_parse_scope - change one part of a scope, or all of it
 * @line: a letter, one blank and a name; the letter alone for all; or nothing
 *	at all for everyone
 * @scope: what is to change
 *
 * Return: 0, or -EINVAL and nothing has changed.
 */
int tunable_parse_scope(const char *line, struct tunable_scope *scope)
{
	const char *name = line + 1;

	if (!*line) {
		*scope = everyone;
		return 0;
	}
	if (strchr(line, '\n'))
		return -EINVAL;
	if (*name && (*name++ != ' ' || !*name))
		return -EINVAL;
	switch (*line) {
	case 's':
		return parse_subject(name, scope->subject);
	case 'l':
		return parse_label(name, &scope->task);
	case 'o':
		return parse_label(name, &scope->object);
	}
	return -EINVAL;
}

/**
 * tunable_scope_has - whether a scope has a call
 * @scope: the scope
 * @subject: command name of the task that calls
 * @task: its label
 * @object: label of the inode
 *
 * Return: whether.
 */
bool tunable_scope_has(const struct tunable_scope *scope, const char *subject,
		       enum tunable_label task, enum tunable_label object)
{
	if (*scope->subject && !glob_match(scope->subject, subject))
		return false;
	if (scope->task && scope->task != task)
		return false;
	return !scope->object || scope->object == object;
}

/**
 * tunable_in_scope - whether the current task's call is to wait
 * @inode: the object; NULL is one without a label
 *
 * Context: any.
 * Return: whether.
 */
bool tunable_in_scope(const struct inode *inode)
{
	const struct tunable_scope *scope;
	bool has = true;

	rcu_read_lock();
	scope = rcu_dereference(tunable_scope);
	if (scope)
		has = tunable_scope_has(scope, current->comm, tunable_task_label(),
					inode ? tunable_inode_label(inode) :
						TUNABLE_IGNORED);
	rcu_read_unlock();
	return has;
}

/**
 * tunable_set_scope - change the scope
 * @line: as for tunable_parse_scope()
 *
 * Context: process context, may sleep.
 * Return: 0; -EINVAL, -ENOMEM, and nothing has changed.
 */
int tunable_set_scope(char *line)
{
	struct tunable_scope *next, *old;
	int err;

	next = kzalloc(sizeof(*next), GFP_KERNEL);
	if (!next)
		return -ENOMEM;
	mutex_lock(&scope_lock);
	old = rcu_dereference_protected(tunable_scope,
					lockdep_is_held(&scope_lock));
	if (old)
		*next = *old;
	err = tunable_parse_scope(line, next);
	if (err) {
		old = next;
	} else if (memcmp(next, &everyone, sizeof(everyone))) {
		rcu_assign_pointer(tunable_scope, next);
	} else {
		RCU_INIT_POINTER(tunable_scope, NULL);
		kfree(next);
	}
	mutex_unlock(&scope_lock);
	synchronize_rcu();
	kfree(old);
	return err;
}

/**
 * tunable_get_scope - what the scope is
 * @scope: where it goes
 */
void tunable_get_scope(struct tunable_scope *scope)
{
	rcu_read_lock();
	*scope = *(rcu_dereference(tunable_scope) ?: &everyone);
	rcu_read_unlock();
}
