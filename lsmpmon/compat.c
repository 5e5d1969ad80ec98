// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: differences between kernels
 */

#include "compat.h"

#ifdef MAX_LSM_COUNT

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

/* Names are in the ids of modules, which security/lsm.h lists. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)

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

#else /* lists, and modules that are called by name */

/* The list of each hook, by the hook's number. */
static const struct hlist_head *const lists[LSMPMON_HOOKS] = {
#define LSM_HOOK(RET, DEFAULT, NAME, ...) \
	[LSMPMON_HOOK_##NAME] = &security_hook_heads.NAME,
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
};

/* Since Linux 6.8, modules have ids. */
static const char *
lsmpmon_listed_module(const struct security_hook_list *callback)
{
#ifdef LSM_ID_CAPABILITY
	return callback->lsmid->name;
#else
	return callback->lsm;
#endif
}

static const struct {
	const char *hook;
	unsigned int when;
	const char *module;
} named[] = {
#define LSMPMON_NAMED(HOOK, WHEN, MODULE, CONFIG) \
	{ #HOOK, WHEN, IS_ENABLED(CONFIG) ? #MODULE : NULL },
	LSMPMON_NAMED_CALLBACKS(LSMPMON_NAMED)
#undef LSMPMON_NAMED
};

static const char *lsmpmon_named_module(enum lsmpmon_hook hook,
					unsigned int when)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(named); i++)
		if (named[i].when == when &&
		    !strcmp(named[i].hook, lsmpmon_hook_name(hook)))
			return named[i].module;
	return NULL;
}

const char *lsmpmon_module_name(enum lsmpmon_hook hook, unsigned int place)
{
	const struct security_hook_list *callback;
	unsigned int at = LSMPMON_LISTED;

	if (place < LSMPMON_LISTED)
		return lsmpmon_named_module(hook, 0);
	if (place > LSMPMON_SURPLUS)
		return lsmpmon_named_module(hook, place - LSMPMON_SURPLUS);
	hlist_for_each_entry(callback, lists[hook], list) {
		if (at++ != place)
			continue;
		if (place == LSMPMON_SURPLUS)
			return "surplus";
		return lsmpmon_listed_module(callback);
	}
	return NULL;
}

/**
 * lsmpmon_place - the place of a callback in the order of its hook
 * @list: the hook's
 * @callback: one in it
 *
 * Context: any; called from the detailed path.
 * Return: LSMPMON_LISTED and more.
 */
unsigned int lsmpmon_place(const struct hlist_head *list,
			   const struct security_hook_list *callback)
{
	const struct hlist_node *node;
	unsigned int place = LSMPMON_LISTED;

	for (node = list->first; node != &callback->list; node = node->next)
		place += place < LSMPMON_SURPLUS;
	return place;
}

void lsmpmon_show_modules(struct seq_file *m)
{
	seq_puts(m, lsm_names);
#ifndef LSM_ID_IMA
	if (IS_ENABLED(CONFIG_INTEGRITY))
		seq_puts(m, ",integrity");
	if (IS_ENABLED(CONFIG_IMA))
		seq_puts(m, ",ima");
	if (IS_ENABLED(CONFIG_EVM))
		seq_puts(m, ",evm");
#endif
	seq_puts(m, LSMPMON_VENDOR_MODULES);
}

#endif

/**
 * lsmpmon_module_place - the first place that a module has in a hook
 * @hook: which
 * @place: of a callback of the module
 *
 * A module may have several callbacks in a hook, as bpf has in task_free.  They
 * are counted together, since a module and a hook are what users know a callback
 * by.
 *
 * Context: any, after the modules were initialised.
 * Return: the place of the first of them.
 */
unsigned int lsmpmon_module_place(enum lsmpmon_hook hook, unsigned int place)
{
	const char *name, *module = lsmpmon_module_name(hook, place);
	unsigned int first;

	for (first = 0; first < place; first++) {
		name = lsmpmon_module_name(hook, first);
		if (name && !strcmp(name, module))
			break;
	}
	return first;
}
