// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: differences between kernels
 */

#include "compat.h"

/* The static calls of each hook, by the hook's number. */
static struct lsm_static_call *const static_calls[LSMPMON_HOOKS] = {
#define LSM_HOOK(RET, DEFAULT, NAME, ...) \
	[LSMPMON_HOOK_##NAME] = static_calls_table.NAME,
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
};

const char *lsmpmon_module_name(enum lsmpmon_hook hook, unsigned int place)
{
	const struct lsm_static_call *call = &static_calls[hook][place];

	if (!call->hl || !static_key_enabled(&call->active->key))
		return NULL;
	return call->hl->lsmid->name;
}

#if __has_include("../lsm.h")

#include "../lsm.h"

void lsmpmon_show_modules(struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < lsm_active_cnt; i++)
		seq_printf(m, "%s%s", i ? "," : "", lsm_idlist[i]->name);
}

#else

void lsmpmon_show_modules(struct seq_file *m)
{
	seq_puts(m, lsm_names);
}

#endif
