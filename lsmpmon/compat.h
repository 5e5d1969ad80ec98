/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: differences between kernels
 */

#ifndef _SECURITY_LSMPMON_COMPAT_H
#define _SECURITY_LSMPMON_COMPAT_H

#include <linux/lsm_hooks.h>

#include "hook.h"

/**
 * lsmpmon_module_name - the module at a place in the order of a hook
 * @hook: which hook
 * @place: below MAX_LSM_COUNT; callbacks are called in the order of places
 *
 * Context: any, after the modules were initialised.
 * Return: its name, or NULL if the place is free.
 */
const char *lsmpmon_module_name(enum lsmpmon_hook hook, unsigned int place);

#endif /* _SECURITY_LSMPMON_COMPAT_H */
