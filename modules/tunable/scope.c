// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: which calls the delays apply to
 */

#include <linux/glob.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "scope.h"

/* NULL for all calls. */
static struct tunable_scope __rcu *tunable_scope;

/* Serialises changes of it. */
static DEFINE_MUTEX(scope_lock);

static const struct tunable_scope everyone;

/* Accepts patterns that the name of a task can match. */
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
 * tunable_parse_scope - change one part of a scope, or reset it
 * @line: a letter, a blank and a name; only the letter to clear that part;
 *	empty to clear all
 * @scope: the scope to change
 *
 * Return: 0, or -EINVAL without any change.
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
 * tunable_scope_has - whether a call is in a scope
 * @scope: the scope
 * @subject: command name of the calling task
 * @task: its label
 * @object: label of the inode
 *
 * Return: true if it is.
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
 * tunable_in_scope - whether the current task's call has to wait
 * @inode: the object; NULL if it has no label
 *
 * Context: any.
 * Return: true if it has to.
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
 * Return: 0, -EINVAL or -ENOMEM.  Nothing changes on errors.
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
 * tunable_get_scope - copy the current scope
 * @scope: the copy
 */
void tunable_get_scope(struct tunable_scope *scope)
{
	rcu_read_lock();
	*scope = *(rcu_dereference(tunable_scope) ?: &everyone);
	rcu_read_unlock();
}
