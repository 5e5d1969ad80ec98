/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: a process with its descendants
 */

#ifndef _SECURITY_LSMPMON_TREE_H
#define _SECURITY_LSMPMON_TREE_H

#include <linux/seq_file.h>
#include <linux/types.h>

/*
 * Number of the selected process tree; zero if there is none.  Tasks of the tree have
 * its number, which fork() copies.  Numbers are not reused, so stale ones are harmless.
 */
extern unsigned int lsmpmon_tree;

int lsmpmon_tree_parse(char *text, pid_t *pid, bool *on_exec);
int lsmpmon_tree_set(pid_t pid, bool on_exec);
void lsmpmon_tree_save(void);
bool lsmpmon_tree_changed(void);
void lsmpmon_tree_restore(void);
void lsmpmon_tree_show(struct seq_file *m);

#endif /* _SECURITY_LSMPMON_TREE_H */
