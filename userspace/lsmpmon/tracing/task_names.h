/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TASK_NAMES_H
#define LSMPMON_TASK_NAMES_H

/**
 * struct task_names - command names of tasks, which are not in events
 * @saved: what the kernel has saved; NULL if that has not been read
 */
struct task_names {
	char *saved;
};

/* The name of a task, or something in its place; @name has room for SEEN_COMM characters. */
void task_names_find(struct task_names *names, int pid, char *name);

/* The kernel may have saved others in the meantime. */
void task_names_forget(struct task_names *names);

#endif
