// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: hooks of tasks
 *
 * A task has the label of the program that it executes; its children inherit
 * this label until they execute another program.
 */

#include <linux/binfmts.h>
#include <linux/fs.h>
#include <linux/init.h>

#include "delay.h"
#include "label.h"
#include "task.h"

static int tunable_bprm_creds_for_exec(struct linux_binprm *bprm)
{
	const struct inode *inode = file_inode(bprm->file);

	tunable_delay(TUNABLE_BPRM_CREDS_FOR_EXEC, inode, true);
	tunable_of_cred(bprm->cred)->label = tunable_inode_label(inode);
	return 0;
}

static void tunable_cred_transfer(struct cred *new, const struct cred *old)
{
	*tunable_of_cred(new) = *tunable_of_cred(old);
}

static int tunable_cred_prepare(struct cred *new, const struct cred *old, gfp_t gfp)
{
	tunable_cred_transfer(new, old);
	return 0;
}

static struct security_hook_list task_hooks[] __ro_after_init = {
	LSM_HOOK_INIT(bprm_creds_for_exec, tunable_bprm_creds_for_exec),
	LSM_HOOK_INIT(cred_prepare, tunable_cred_prepare),
	LSM_HOOK_INIT(cred_transfer, tunable_cred_transfer),
};

/**
 * tunable_task_init - add the hooks of tasks
 */
void __init tunable_task_init(void)
{
	tunable_add_hooks(task_hooks, ARRAY_SIZE(task_hooks));
}
