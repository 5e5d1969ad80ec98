/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the modules behind a hook
 */

#ifndef _SECURITY_LSMPMON_MODULE_H
#define _SECURITY_LSMPMON_MODULE_H

#include "hook.h"

const char *lsmpmon_module_at(enum lsmpmon_hook hook, unsigned int place);
unsigned int lsmpmon_module_count(enum lsmpmon_hook hook);

#endif /* _SECURITY_LSMPMON_MODULE_H */
