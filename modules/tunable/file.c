// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: hooks of open files
 */

#include <linux/fs.h>
#include <linux/init.h>

#include "delay.h"
#include "file.h"
#include "setup.h"

static int tunable_file_permission(struct file *file, int mask)
{
	tunable_delay(TUNABLE_FILE_PERMISSION, file_inode(file), true);
	return 0;
}

static struct security_hook_list file_hooks[] __ro_after_init = {
	LSM_HOOK_INIT(file_permission, tunable_file_permission),
};

/**
 * tunable_file_init - add the hooks of open files
 */
void __init tunable_file_init(void)
{
	tunable_add_hooks(file_hooks, ARRAY_SIZE(file_hooks));
}
