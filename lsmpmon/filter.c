// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/filter
 *
 * Measurements can be limited to tasks with a command name (the subject) and
 * to calls on an object, as in the paper of Yamamoto & Yamauchi (2010), and to
 * a process with all its descendants.  The filter is applied before a call is
 * dispatched.  Calls that do not match are marked in their frame and not
 * recorded.  object.c finds the names of objects.
 */

#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "files.h"
#include "filter.h"
#include "holder.h"
#include "keys.h"
#include "memory.h"
#include "object.h"
#include "path.h"
#include "select.h"
#include "tree.h"

/* Subject and object at the beginning of the session; not freed until its end. */
static struct {
	struct lsmpmon_subject *subject;
	struct lsmpmon_object *object;
} saved;

/* Serialises changes of the filter, of @saved and of the process tree. */
static DEFINE_MUTEX(filter_lock);

/*
 * Have the keys of the filter in use while a filter is set.  Calls that are in progress
 * may still see the filter as it was.
 */
static void lsmpmon_update_keys(void)
{
	const struct lsmpmon_subject *subject =
		rcu_dereference_protected(lsmpmon_subject,
					  lockdep_is_held(&filter_lock));
	const bool object = rcu_access_pointer(lsmpmon_object);
	const bool literal = subject && subject->name.literal;
	const bool task = subject || lsmpmon_tree;

	if (literal)
		lsmpmon_set_subject_start(subject);
	lsmpmon_keys_switch(LSMPMON_USER_FILTER_NAME, literal);
	lsmpmon_keys_switch(LSMPMON_USER_FILTER_OBJECT, object);
	lsmpmon_keys_switch(LSMPMON_USER_FILTER_OBJECT_ONLY, object && !task);
	lsmpmon_keys_switch(LSMPMON_USER_FILTER, object || task);
}

static void lsmpmon_replace_subject(struct lsmpmon_subject *subject)
{
	struct lsmpmon_subject *old;

	mutex_lock(&filter_lock);
	old = rcu_replace_pointer(lsmpmon_subject, subject,
				  lockdep_is_held(&filter_lock));
	if (old == saved.subject)
		old = NULL;
	lsmpmon_update_keys();
	mutex_unlock(&filter_lock);
	synchronize_rcu();
	kvfree(old);
}

/* Each CPU has a buffer for names while the filter has an object. */
static int lsmpmon_replace_object(struct lsmpmon_object *object)
{
	struct lsmpmon_object *old;
	int err = 0;

	mutex_lock(&filter_lock);
	if (object)
		err = lsmpmon_memory_alloc(BIT(LSMPMON_TABLE_NAME));
	if (err)
		goto out;
	lsmpmon_set_fast_path(NULL);
	old = rcu_replace_pointer(lsmpmon_object, object,
				  lockdep_is_held(&filter_lock));
	if (old == saved.object)
		old = NULL;
	lsmpmon_update_keys();
	synchronize_rcu();
	lsmpmon_set_fast_path(object);
	if (!object)
		lsmpmon_memory_free(BIT(LSMPMON_TABLE_NAME));
	object = old;
out:
	mutex_unlock(&filter_lock);
	kvfree(object);
	return err;
}

static int lsmpmon_write_subject(const char *name)
{
	struct lsmpmon_subject *subject = NULL;
	int err;

	if (*name)
		subject = lsmpmon_parse_subject(name);
	if (IS_ERR(subject))
		return PTR_ERR(subject);
	err = lsmpmon_holder_enter();
	if (err) {
		kvfree(subject);
		return err;
	}
	lsmpmon_replace_subject(subject);
	lsmpmon_holder_leave();
	return 0;
}

/* Parse before taking a lock: a path lookup may block for any time. */
static int lsmpmon_write_object(const char *name)
{
	struct lsmpmon_object *object = NULL;
	int err;

	if (*name)
		object = lsmpmon_parse_object(name);
	if (IS_ERR(object))
		return PTR_ERR(object);
	err = lsmpmon_holder_enter();
	if (err) {
		kvfree(object);
		return err;
	}
	err = lsmpmon_replace_object(object);
	lsmpmon_holder_leave();
	return err;
}

static int lsmpmon_write_tree(char *text)
{
	bool on_exec;
	pid_t pid;
	int err;

	err = lsmpmon_tree_parse(text, &pid, &on_exec) ?:
		lsmpmon_holder_enter();
	if (err)
		return err;
	mutex_lock(&filter_lock);
	err = lsmpmon_tree_set(pid, on_exec);
	lsmpmon_update_keys();
	mutex_unlock(&filter_lock);
	lsmpmon_holder_leave();
	return err;
}

/**
 * lsmpmon_filter_save - save the filter for a session
 *
 * Context: process context, may sleep.
 */
void lsmpmon_filter_save(void)
{
	mutex_lock(&filter_lock);
	saved.subject = rcu_dereference_protected(lsmpmon_subject,
						  lockdep_is_held(&filter_lock));
	saved.object = rcu_dereference_protected(lsmpmon_object,
						 lockdep_is_held(&filter_lock));
	lsmpmon_tree_save();
	mutex_unlock(&filter_lock);
}

/**
 * lsmpmon_filter_changed - test whether the filter differs from the saved one
 *
 * Context: process context.  The caller keeps others from writing to filter.
 * Return: true if it differs.
 */
bool lsmpmon_filter_changed(void)
{
	return rcu_access_pointer(lsmpmon_subject) != saved.subject ||
	       rcu_access_pointer(lsmpmon_object) != saved.object ||
	       lsmpmon_tree_changed();
}

/**
 * lsmpmon_filter_restore - restore the saved filter
 *
 * Processes that were selected during the session have left the saved process tree.
 *
 * Context: process context, may sleep.  The caller keeps others from writing to
 *	filter.
 */
void lsmpmon_filter_restore(void)
{
	if (rcu_access_pointer(lsmpmon_subject) != saved.subject)
		lsmpmon_replace_subject(saved.subject);
	if (rcu_access_pointer(lsmpmon_object) != saved.object)
		lsmpmon_replace_object(saved.object);
	mutex_lock(&filter_lock);
	lsmpmon_tree_restore();
	lsmpmon_update_keys();
	memset(&saved, 0, sizeof(saved));
	mutex_unlock(&filter_lock);
}

/*
 * A line is a letter, a blank and a name, which may contain blanks.  Without a name,
 * the letter clears that part of the filter.
 */
static int lsmpmon_write_line(char *line, size_t length)
{
	char *name;

	if (length && line[length - 1] == '\n')
		line[--length] = '\0';
	if (strlen(line) != length || strchr(line, '\n'))
		return -EINVAL;
	if (length == 1)
		name = line + 1;
	else if (length > 2 && line[1] == ' ')
		name = line + 2;
	else
		return -EINVAL;
	switch (*line) {
	case 's':
		return lsmpmon_write_subject(name);
	case 'o':
		return lsmpmon_write_object(name);
	case 'p':
		return lsmpmon_write_tree(name);
	default:
		return -EINVAL;
	}
}

/*
 * lsmpmon_filter_write - set or clear a part of the filter
 *
 * Return: @length; -ESRCH if there is no such process; -EBUSY during the session
 *	of another process; -EINVAL for anything but "s NAME", "o NAME", "p PID",
 *	"p PID exec", "s", "o" and "p", for a name with a newline or a zero
 *	byte, for a literal command name longer than any task's, for an
 *	object's name longer than any path, or with slashes but not absolute;
 *	-EFAULT or -ENOMEM.  Nothing changes on errors.
 */
static ssize_t lsmpmon_filter_write(struct file *file, const char __user *buffer,
				    size_t length, loff_t *pos)
{
	char *line;
	int err;

	if (length > PATH_MAX + 2)
		return -EINVAL;
	line = memdup_user_nul(buffer, length);
	if (IS_ERR(line))
		return PTR_ERR(line);
	err = lsmpmon_write_line(line, length);
	kfree(line);
	return err ?: length;
}

static int lsmpmon_filter_show(struct seq_file *m, void *v)
{
	const struct lsmpmon_subject *subject;
	const struct lsmpmon_object *object;

	rcu_read_lock();
	subject = rcu_dereference(lsmpmon_subject);
	object = rcu_dereference(lsmpmon_object);
	seq_printf(m, "s%s%s\n", subject ? " " : "", subject ? subject->text : "");
	seq_printf(m, "o%s%s\n", object ? " " : "", object ? object->text : "");
	rcu_read_unlock();
	mutex_lock(&filter_lock);
	lsmpmon_tree_show(m);
	mutex_unlock(&filter_lock);
	return 0;
}

static int lsmpmon_filter_open(struct inode *inode, struct file *file)
{
	return single_open(file, lsmpmon_filter_show, NULL);
}

const struct file_operations lsmpmon_filter_fops = {
	.open		= lsmpmon_filter_open,
	.read		= seq_read,
	.write		= lsmpmon_filter_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};
