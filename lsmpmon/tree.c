// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: a process with its descendants
 *
 * The filter can select one process tree: a process and its later descendants, from
 * now on or from the next program of the process on.
 */

#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/lsmpmon_task.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "program.h"
#include "tree.h"

unsigned int lsmpmon_tree;

/**
 * struct lsmpmon_root - root of a process tree
 * @tree: number of the tree; zero if there is none
 * @pid: number of the process, as it was written
 * @on_exec: whether the tree begins with the next program of the process
 */
struct lsmpmon_root {
	unsigned int tree;
	pid_t pid;
	bool on_exec;
};

/* The variables below are protected by the lock of the filter. */
static struct lsmpmon_root root;
static unsigned int last_tree;

/* Root at the beginning of the session. */
static struct lsmpmon_root saved;

static int lsmpmon_mark_tree(pid_t pid, unsigned int number)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	process = find_task_by_vpid(pid);
	if (process)
		for_each_thread(process, thread)
			WRITE_ONCE(lsmpmon_of(thread)->tree, number);
	rcu_read_unlock();
	return process ? 0 : -ESRCH;
}

static int lsmpmon_await_tree(pid_t pid, unsigned int number)
{
	struct pid *process = NULL;
	struct task_struct *task;
	int err;

	rcu_read_lock();
	task = find_task_by_vpid(pid);
	if (task)
		process = get_pid(task_tgid(task));
	rcu_read_unlock();
	if (!process)
		return -ESRCH;
	err = lsmpmon_program_await(process, number);
	put_pid(process);
	return err;
}

/* Keep awaiting the program of a saved tree, which the session will restore. */
static void lsmpmon_replace_root(struct lsmpmon_root new)
{
	const struct lsmpmon_root old = root;

	root = new;
	WRITE_ONCE(lsmpmon_tree, new.tree);
	if (old.on_exec && old.tree != saved.tree)
		lsmpmon_program_forget(old.tree);
}

/**
 * lsmpmon_tree_parse - parse a process tree written to filter
 * @text: text after the letter; modified
 * @pid: set to the number of the process; 0 for none
 * @on_exec: set to whether the tree begins with the next program of the process
 *
 * Context: any.
 * Return: 0, or -EINVAL for anything but "", "PID" and "PID exec".
 */
int lsmpmon_tree_parse(char *text, pid_t *pid, bool *on_exec)
{
	char *word = strchr(text, ' ');

	*pid = 0;
	*on_exec = word;
	if (!*text)
		return 0;
	if (word)
		*word++ = '\0';
	if (word && strcmp(word, "exec"))
		return -EINVAL;
	if (!isdigit(*text) || kstrtoint(text, 10, pid) || !*pid)
		return -EINVAL;
	return 0;
}

/**
 * lsmpmon_tree_set - select the tree of a process
 * @pid: number of the process in the caller's PID namespace; 0 for none
 * @on_exec: whether the tree begins with the next program of the process
 *
 * Context: process context, may sleep, under the lock of the filter.
 * Return: 0, -ESRCH if there is no such process, -ENOMEM, or the error of
 *	registering with a tracepoint.  Nothing changes on errors.
 */
int lsmpmon_tree_set(pid_t pid, bool on_exec)
{
	struct lsmpmon_root new = { .pid = pid, .on_exec = on_exec };
	int err = 0;

	/* Skip zero on overflow. */
	last_tree = last_tree + 1 ?: 1;
	if (pid) {
		new.tree = last_tree;
		err = on_exec ? lsmpmon_await_tree(pid, new.tree) :
			       lsmpmon_mark_tree(pid, new.tree);
	}
	if (!err)
		lsmpmon_replace_root(new);
	return err;
}

/**
 * lsmpmon_tree_save - save the selected tree for a session
 *
 * Context: under the lock of the filter.
 */
void lsmpmon_tree_save(void)
{
	saved = root;
}

/**
 * lsmpmon_tree_changed - test whether the selected tree differs from the saved one
 *
 * Context: process context.  The caller keeps others from writing to filter.
 * Return: true if it differs.
 */
bool lsmpmon_tree_changed(void)
{
	return root.tree != saved.tree;
}

/**
 * lsmpmon_tree_restore - select the saved tree
 *
 * Its tasks still have its number, except those that were selected during the session.
 *
 * Context: process context, may sleep, under the lock of the filter.
 */
void lsmpmon_tree_restore(void)
{
	if (lsmpmon_tree_changed())
		lsmpmon_replace_root(saved);
	saved.tree = 0;
}

/**
 * lsmpmon_tree_show - print the selected tree as it was written; nothing without one
 * @m: the file
 *
 * Context: process context, under the lock of the filter.
 */
void lsmpmon_tree_show(struct seq_file *m)
{
	if (root.tree)
		seq_printf(m, "p %d%s\n", root.pid, root.on_exec ? " exec" : "");
}
