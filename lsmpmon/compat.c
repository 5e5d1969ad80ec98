// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: differences between kernels
 */

#include "compat.h"

/* Callbacks that are called by name; the last entry is empty. */
static const struct lsmpmon_named {
	const char *hook;
	unsigned int place;
	const char *module;
} named[] = {
#define LSMPMON_NAMED(HOOK, WHEN, MODULE, CONFIG) \
	{ #HOOK, LSMPMON_NAMED_PLACE(WHEN), \
	  IS_ENABLED(CONFIG) ? #MODULE : NULL },
	LSMPMON_NAMED_CALLBACKS(LSMPMON_NAMED)
#undef LSMPMON_NAMED
	{ }
};

static const char *lsmpmon_named_module(enum lsmpmon_hook hook,
					unsigned int place)
{
	const struct lsmpmon_named *call;

	for (call = named; call->hook; call++)
		if (call->place == place &&
		    !strcmp(call->hook, lsmpmon_hook_name(hook)))
			return call->module;
	return NULL;
}

#ifdef MAX_LSM_COUNT

/* Static calls, by hook. */
static struct lsm_static_call *const static_calls[LSMPMON_HOOKS] = {
#define LSM_HOOK(RET, DEFAULT, NAME, ...) \
	[LSMPMON_HOOK_##NAME] = static_calls_table.NAME,
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
};

const char *lsmpmon_module_name(enum lsmpmon_hook hook, unsigned int place)
{
	const struct lsm_static_call *call;

	if (place >= MAX_LSM_COUNT)
		return lsmpmon_named_module(hook, place);
	call = &static_calls[hook][place];
	if (!call->hl || !static_key_enabled(&call->active->key))
		return NULL;
	return call->hl->lsmid->name;
}

/* Since Linux 6.19, the active modules are listed in security/lsm.h. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)

#include "../lsm.h"

static void lsmpmon_show_registered(struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < lsm_active_cnt; i++)
		seq_printf(m, "%s%s", i ? "," : "", lsm_idlist[i]->name);
}

#else

static void lsmpmon_show_registered(struct seq_file *m)
{
	seq_puts(m, lsm_names);
}

#endif

#else /* lists, and modules that are called by name */

/* Lists of callbacks, by hook. */
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

const char *lsmpmon_module_name(enum lsmpmon_hook hook, unsigned int place)
{
	const struct security_hook_list *callback;
	unsigned int at = LSMPMON_LISTED;

	if (place < LSMPMON_LISTED || place > LSMPMON_SURPLUS)
		return lsmpmon_named_module(hook, place);
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
 * lsmpmon_place - place of a callback in the order of its hook
 * @list: list of the hook
 * @callback: a callback in the list
 *
 * Context: any; called from the detailed path.
 * Return: the place, from LSMPMON_LISTED to LSMPMON_SURPLUS.
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

static void lsmpmon_show_registered(struct seq_file *m)
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
}

#endif

void lsmpmon_show_modules(struct seq_file *m)
{
	lsmpmon_show_registered(m);
	seq_puts(m, LSMPMON_VENDOR_MODULES);
}

/**
 * lsmpmon_module_place - first place of a module in a hook
 * @hook: number of the hook
 * @place: place of a callback of the module
 *
 * A module may have several callbacks in a hook, as bpf has in
 * inode_free_security.  They are shown as one, by the name of the module.
 *
 * Context: any, after the modules were initialised.
 * Return: place of the first callback of the module.
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
