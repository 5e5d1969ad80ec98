// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/syscalls
 */

#include <linux/sizes.h>

#include "control.h"
#include "fs.h"
#include "line.h"
#include "operation.h"

static void lsmpmon_show_operation(struct seq_file *m, unsigned int operation)
{
	char name[LSMPMON_OPERATION_NAME];
	struct lsmpmon_pair pair;
	unsigned int hook;

	lsmpmon_operation_name(operation, name, sizeof(name));
	for (hook = 0; hook < LSMPMON_HOOKS; hook++) {
		lsmpmon_pair_read(LSMPMON_BY_SYSCALL, hook, operation, &pair);
		if (lsmpmon_pair_is_empty(&pair))
			continue;
		seq_printf(m, "%-24s %-28s", name, lsmpmon_hook_name(hook));
		lsmpmon_pair_show(m, &pair);
	}
}

static int lsmpmon_syscalls_show(struct seq_file *m, void *v)
{
	unsigned int operation;

	seq_printf(m, "%-24s %-28s", "syscall", "hook");
	lsmpmon_pair_head(m);
	/* No reset meanwhile, nor memory that only some of the CPUs have yet. */
	lsmpmon_control_lock();
	for (operation = 0; operation < LSMPMON_OPERATIONS; operation++) {
		lsmpmon_show_operation(m, operation);
		cond_resched();
	}
	lsmpmon_control_unlock();
	return 0;
}

static int lsmpmon_syscalls_open(struct inode *inode, struct file *file)
{
	/* Room for most tables: show starts again when it finds too little. */
	return single_open_size(file, lsmpmon_syscalls_show, NULL, SZ_256K);
}

const struct file_operations lsmpmon_syscalls_fops = {
	.open		= lsmpmon_syscalls_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};
