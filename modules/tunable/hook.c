// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: names of the hooks with a delay
 */

#include <linux/string.h>
#include <linux/stringify.h>

#include "compat.h"
#include "hook.h"

const char *const tunable_hook_names[TUNABLE_HOOKS] = {
	[TUNABLE_BPRM_CREDS_FOR_EXEC]	= "bprm_creds_for_exec",
	[TUNABLE_INODE_ALLOC_SECURITY]	= "inode_alloc_security",
	[TUNABLE_INODE_INIT_SECURITY]	= "inode_init_security",
	[TUNABLE_INODE_SETXATTR]	= "inode_setxattr",
	[TUNABLE_INODE_SECID]		= __stringify(TUNABLE_SECID_HOOK),
	[TUNABLE_INODE_CREATE]		= "inode_create",
	[TUNABLE_FILE_PERMISSION]	= "file_permission",
	[TUNABLE_INODE_PERMISSION]	= "inode_permission",
};

/**
 * tunable_may_sleep - whether a hook may sleep, at least in some of its calls
 * @hook: the hook
 *
 * Return: false for hooks that are called with locks held.
 */
bool tunable_may_sleep(enum tunable_hook hook)
{
	return hook != TUNABLE_INODE_ALLOC_SECURITY && hook != TUNABLE_INODE_SECID;
}

/**
 * tunable_parse_hook - find a hook by name
 * @name: its name in this kernel
 *
 * Return: an enum tunable_hook, or -EINVAL.
 */
int tunable_parse_hook(const char *name)
{
	return match_string(tunable_hook_names, TUNABLE_HOOKS, name);
}
