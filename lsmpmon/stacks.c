// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/stacks
 */

#include <linux/sizes.h>

#include "compat.h"
#include "control.h"
#include "fs.h"
#include "line.h"
#include "operation.h"
#include "stack.h"

static void lsmpmon_show_stack(struct seq_file *m, unsigned int operation,
			       unsigned int hook, unsigned int place)
{
	const unsigned int row = lsmpmon_stack_row(hook * MAX_LSM_COUNT + place);
	char name[LSMPMON_OPERATION_NAME];
	struct lsmpmon_pair pair;

	if (!row)
		return;
	lsmpmon_pair_read(LSMPMON_BY_STACK, row - 1, operation, &pair);
	/* A module's callbacks have one row, which is shown once. */
	if (lsmpmon_pair_is_empty(&pair) ||
	    lsmpmon_module_place(hook, place) != place)
		return;
	lsmpmon_operation_name(operation, name, sizeof(name));
	seq_printf(m, "%-24s %-28s %-12s", name, lsmpmon_hook_name(hook),
		   lsmpmon_module_name(hook, place));
	lsmpmon_pair_show(m, &pair);
}

static void lsmpmon_show_stacks_of(struct seq_file *m, unsigned int operation)
{
	unsigned int hook, place;

	for (hook = 0; hook < LSMPMON_HOOKS; hook++)
		for (place = 0; place < MAX_LSM_COUNT; place++)
			lsmpmon_show_stack(m, operation, hook, place);
}

static int lsmpmon_stacks_show(struct seq_file *m, void *v)
{
	unsigned int operation;

	seq_printf(m, "%-24s %-28s %-12s", "syscall", "hook", "module");
	lsmpmon_pair_head(m);
	/* No reset meanwhile, nor memory that only some of the CPUs have yet. */
	lsmpmon_control_lock();
	for (operation = 0; operation < LSMPMON_OPERATIONS; operation++) {
		lsmpmon_show_stacks_of(m, operation);
		cond_resched();
	}
	lsmpmon_control_unlock();
	return 0;
}

static int lsmpmon_stacks_open(struct inode *inode, struct file *file)
{
	/* Room for most tables, as of system calls. */
	return single_open_size(file, lsmpmon_stacks_show, NULL, SZ_256K);
}

const struct file_operations lsmpmon_stacks_fops = {
	.open		= lsmpmon_stacks_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};
