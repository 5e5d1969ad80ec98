// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: the hooks of another module, with empty callbacks
 *
 * With empty callbacks, all that is measured is the cost of the framework that calls
 * them.  When the kernel is built, sets.awk finds the hooks of each module in its
 * sources.  There is one callback for each hook of lsm_hook_defs.h.
 */

#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/lsm_hooks.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "compat.h"
#include "empty.h"
#include "setup.h"

enum empty_hook {
#define LSM_HOOK(RET, DEFAULT, HOOK, ...) EMPTY_##HOOK,
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
	EMPTY_HOOKS
};

/*
 * The value that decides nothing: the hook's default, but some callers before Linux
 * 6.9 have a default of their own.
 */
static __always_inline int answer(enum empty_hook hook, int usual)
{
	switch (hook) {
	case EMPTY_inode_setxattr:
	case EMPTY_inode_removexattr:
		return TUNABLE_LEFT_TO_CAPABILITY;
	case EMPTY_inode_init_security:
		return -EOPNOTSUPP;
#ifdef CONFIG_SECURITY_NETWORK
	case EMPTY_socket_getpeersec_stream:
	case EMPTY_socket_getpeersec_dgram:
		return -ENOPROTOOPT;
#endif
	default:
		return usual;
	}
}

#define EMPTY_CALLBACK_void(DEFAULT, HOOK, ...)				\
static void tunable_empty_##HOOK(__VA_ARGS__)				\
{									\
}

#define EMPTY_CALLBACK_int(DEFAULT, HOOK, ...)				\
static int tunable_empty_##HOOK(__VA_ARGS__)				\
{									\
	return answer(EMPTY_##HOOK, DEFAULT);				\
}

#define LSM_HOOK(RET, DEFAULT, HOOK, ...) \
	EMPTY_CALLBACK_##RET(DEFAULT, HOOK, __VA_ARGS__)
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK

static struct security_hook_list empty_hooks[EMPTY_HOOKS] __ro_after_init = {
#define LSM_HOOK(RET, DEFAULT, HOOK, ...) \
	[EMPTY_##HOOK] = LSM_HOOK_INIT(HOOK, tunable_empty_##HOOK),
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
};

/**
 * struct empty_member - a hook of a module
 * @module: name of the module
 * @hook: the hook
 */
struct empty_member {
	const char *module;
	enum empty_hook hook;
};

/* The sets, one after the other. */
static const struct empty_member members[] __initconst = {
#define TUNABLE_MEMBER(MODULE, HOOK) { #MODULE, EMPTY_##HOOK },
#include "sets.h"
};

/* Each hook once, also if the module has several callbacks for it. */
static void __init find_set(const char *module, unsigned long *set)
{
	int i;

	bitmap_zero(set, EMPTY_HOOKS);
	for (i = 0; i < ARRAY_SIZE(members); i++)
		if (!strcmp(members[i].module, module))
			__set_bit(members[i].hook, set);
}

/* The members of a module follow each other, since its files do. */
static bool __init begins_module(int member)
{
	return !member ||
	       strcmp(members[member - 1].module, members[member].module);
}

static void __init refuse(const char *module)
{
	static char names[256] __initdata;
	int i, length = 0;

	for (i = 0; i < ARRAY_SIZE(members); i++)
		if (begins_module(i))
			length += scnprintf(names + length, sizeof(names) - length,
					    " %s", members[i].module);
	pr_err("tunable: hooks=%s is not accepted, no hook is registered; one of:%s\n",
	       module, names);
}

/**
 * tunable_empty_has_xattr - whether a module may give new files an xattr
 * @module: its name
 *
 * Without a module that may, the framework doesn't call inode_init_security.
 *
 * Context: before security_init().
 * Return: whether inode_init_security is among its hooks.
 */
bool __init tunable_empty_has_xattr(const char *module)
{
	DECLARE_BITMAP(set, EMPTY_HOOKS);

	find_set(module, set);
	return test_bit(EMPTY_inode_init_security, set);
}

/**
 * tunable_empty_init - add empty callbacks for the hooks of a module
 * @module: its name; if no module of this tree has it, that is logged, and no
 *	callback is added
 *
 * Context: security_init().
 */
void __init tunable_empty_init(const char *module)
{
	DECLARE_BITMAP(set, EMPTY_HOOKS);
	unsigned int hook;

	find_set(module, set);
	if (bitmap_empty(set, EMPTY_HOOKS)) {
		refuse(module);
		return;
	}
	for_each_set_bit(hook, set, EMPTY_HOOKS)
		tunable_add_hooks(&empty_hooks[hook], 1);
	pr_info("tunable: empty callbacks for the %u hooks of %s\n",
		bitmap_weight(set, EMPTY_HOOKS), module);
}
