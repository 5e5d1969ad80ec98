// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: a process with its descendants
 *
 * One process tree may be selected, of a process from now on or from its next
 * program on.
 */

#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "program.h"
#include "tree.h"

unsigned int lsmpmon_tree;

/**
 * struct lsmpmon_root - what a process tree begins with
 * @tree: its number; zero if there is none
 * @pid: the process, as it was written
 * @on_exec: it begins with the next program of that process
 */
struct lsmpmon_root {
	unsigned int tree;
	pid_t pid;
	bool on_exec;
};

/* All of this is protected by the lock of the filter. */
static struct lsmpmon_root root;
static unsigned int last_tree;

/* What there was when a session began. */
static struct lsmpmon_root saved;

static int lsmpmon_mark_tree(pid_t pid, unsigned int number)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	process = find_task_by_vpid(pid);
	if (process)
		for_each_thread(process, thread)
			WRITE_ONCE(thread->lsmpmon.tree, number);
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

/* What it awaits may be needed again when the session ends. */
static void lsmpmon_replace_root(struct lsmpmon_root new)
{
	const struct lsmpmon_root old = root;

	root = new;
	WRITE_ONCE(lsmpmon_tree, new.tree);
	if (old.on_exec && old.tree != saved.tree)
		lsmpmon_program_forget(old.tree);
}

/**
 * lsmpmon_tree_parse - what a write to filter says of a process
 * @text: what stands behind the letter; changed
 * @pid: set to the process; 0 for none
 * @on_exec: set to true if only its next program counts
 *
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
 * @pid: the process, in the caller's namespace; 0 for none
 * @on_exec: from its next program on
 *
 * Context: process context, may sleep, under the lock of the filter.
 * Return: 0, -ESRCH if there is no such process, -ENOMEM, or the error of the
 *	tracepoint.  Nothing changes on errors.
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
 * lsmpmon_tree_save - remember the tree, for a session that begins
 *
 * Context: under the lock of the filter.
 */
void lsmpmon_tree_save(void)
{
	saved = root;
}

/**
 * lsmpmon_tree_changed - whether another tree is selected than is remembered
 *
 * Context: while nobody selects one.
 * Return: true if so.
 */
bool lsmpmon_tree_changed(void)
{
	return root.tree != saved.tree;
}

/**
 * lsmpmon_tree_restore - select the tree that is remembered
 *
 * Its tasks still carry the number, but for those that were selected meanwhile.
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
 * lsmpmon_tree_show - print what was written, unless there is none
 * @m: where
 *
 * Context: under the lock of the filter.
 */
void lsmpmon_tree_show(struct seq_file *m)
{
	if (root.tree)
		seq_printf(m, "p %d%s\n", root.pid, root.on_exec ? " exec" : "");
}
