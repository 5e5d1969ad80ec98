// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the functions of hooks, for trace events
 *
 * They have the names by which users know hooks in hist triggers.
 */

#include <linux/init.h>
#include <linux/lsmpmon_hooks.h>

#include "functions.h"
#include "trace.h"

static const void *const functions[LSMPMON_HOOKS] = {
#define LSM_HOOK(RET, DEFAULT, NAME, ...) \
	[LSMPMON_HOOK_##NAME] = lsmpmon_call_##NAME,
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
};

/**
 * lsmpmon_functions_init - let trace events name the functions of hooks
 *
 * Context: lsmpmon_init().
 */
void __init lsmpmon_functions_init(void)
{
	lsmpmon_trace_functions(functions);
}
