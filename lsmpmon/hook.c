// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: names of the hooks
 */

#include "hook.h"

#define LSMPMON_IS_int	false
#define LSMPMON_IS_void	true

static const struct {
	const char *name;
	bool is_void;
} hooks[LSMPMON_HOOKS] = {
#define LSM_HOOK(RET, DEFAULT, NAME, ...) \
	[LSMPMON_HOOK_##NAME] = { #NAME, LSMPMON_IS_##RET },
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
};

/**
 * lsmpmon_hook_name - name of a hook
 * @hook: its number, below LSMPMON_HOOKS
 *
 * Context: any.
 * Return: the name, as in lsm_hook_defs.h.
 */
const char *lsmpmon_hook_name(enum lsmpmon_hook hook)
{
	return hooks[hook].name;
}

/**
 * lsmpmon_hook_is_void - whether a hook returns no verdict
 * @hook: its number, below LSMPMON_HOOKS
 *
 * Context: any.
 * Return: true if it returns nothing.
 */
bool lsmpmon_hook_is_void(enum lsmpmon_hook hook)
{
	return hooks[hook].is_void;
}
