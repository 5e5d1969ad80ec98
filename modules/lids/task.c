// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model of LIDS: subjects
 *
 * If a task executes a program that is the subject of a rule, the task gets this
 * subject.  Otherwise, it keeps its subject, one level further away.  Only numbers are
 * stored, so rules may be removed at any time.
 */

#include <linux/binfmts.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>

#include "task.h"

/**
 * lids_execute - update the subject of a task that executes a program
 * @subject: subject of the task
 * @program: the program
 *
 * Context: any.
 */
void lids_execute(struct lids_subject *subject, const struct lids_id *program)
{
	const struct lids_table *table;

	rcu_read_lock();
	table = rcu_dereference(lids_table);
	if (table && lids_has_subject(table, program))
		*subject = (struct lids_subject) { *program, 0 };
	else if (lids_is_file(&subject->program))
		subject->level = min_t(unsigned int, subject->level + 1,
				       LIDS_ALL_LEVELS);
	rcu_read_unlock();
}

static int lids_bprm_creds_for_exec(struct linux_binprm *bprm)
{
	const struct lids_id program = lids_id_of(file_inode(bprm->file));

	lids_execute(lids_of_cred(bprm->cred), &program);
	return 0;
}

static void lids_cred_transfer(struct cred *new, const struct cred *old)
{
	*lids_of_cred(new) = *lids_of_cred(old);
}

static int lids_cred_prepare(struct cred *new, const struct cred *old, gfp_t gfp)
{
	lids_cred_transfer(new, old);
	return 0;
}

static struct security_hook_list task_hooks[] __ro_after_init = {
	LSM_HOOK_INIT(bprm_creds_for_exec, lids_bprm_creds_for_exec),
	LSM_HOOK_INIT(cred_prepare, lids_cred_prepare),
	LSM_HOOK_INIT(cred_transfer, lids_cred_transfer),
};

/**
 * lids_task_init - add the hooks of tasks
 */
void __init lids_task_init(void)
{
	lsmpmon_add_hooks(task_hooks, ARRAY_SIZE(task_hooks), &lids_id);
}
