/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: hooks with lists
 *
 * Before Linux 6.12, each hook has a list of callbacks; before Linux 6.9, security.c
 * calls IMA and EVM by name.  lsmpmon_static_calls.h defines the same macros for
 * later kernels.
 */

#ifndef _LINUX_LSMPMON_LISTS_H
#define _LINUX_LSMPMON_LISTS_H

#include <linux/kconfig.h>
#include <linux/lsm_hooks.h>
#include <linux/lsmpmon_named.h>
#include <linux/rculist.h>
#include <linux/version.h>

/* The callback at the position of a loop, and its place. */
#define LSMPMON_OF(P, HOOK)	((P)->hook.HOOK)
#define LSMPMON_PLACE(P, HOOK)						\
	lsmpmon_place(&security_hook_heads.HOOK, P)

#define LSMPMON_EACH(P, HOOK)						\
	hlist_for_each_entry(P, &security_hook_heads.HOOK, list)

#define LSMPMON_HAS_CALLBACKS(HOOK)					\
	(!hlist_empty(&security_hook_heads.HOOK))

#define LSMPMON_REGISTERED	struct security_hook_list

/*
 * Any other value ends the callbacks of a hook: before Linux 6.9 anything but 0, since
 * then anything but the hook's default.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
#define LSMPMON_NO_OPINION(HOOK)	LSM_RET_DEFAULT(HOOK)
#else
#define LSMPMON_NO_OPINION(HOOK)	0
#endif

/* Call all callbacks, in lsmpmon_dispatch_HOOK(). */
#define LSMPMON_DISPATCH_VOID(HOOK, ...)				\
first_0: __maybe_unused;						\
	LSMPMON_WALK_VOID(HOOK, &frame, ##__VA_ARGS__);
#define LSMPMON_DISPATCH_INT(HOOK, ...)					\
first_0: __maybe_unused;						\
	LSMPMON_WALK_INT(rc, HOOK, &frame, ##__VA_ARGS__);

/* Modules are called by name, and callers of hooks may have defaults of their own. */
#define LSMPMON_SCOPES

/* In call_int_hook(): whether the caller's default @RC may differ from the hook's. */
#define LSMPMON_HAS_OWN_DEFAULT(RC, HOOK)				\
	(!__builtin_constant_p(RC) || (RC) != LSM_RET_DEFAULT(HOOK))

/* Since Linux 6.9, nothing is called by name: IMA and EVM are modules, in the lists. */
#ifdef LSM_ID_IMA
#define LSMPMON_INTEGRITY_MODULES					\
	(IS_ENABLED(CONFIG_IMA) + IS_ENABLED(CONFIG_EVM))
#define LSMPMON_INTEGRITY_CALLBACKS(X)
#else
#define LSMPMON_INTEGRITY_MODULES	0

/* Since Linux 6.8. */
#ifdef LSM_ID_CAPABILITY
#define LSMPMON_NAMED_SINCE_6_8(X)					\
	X(inode_copy_up_xattr,	1, evm,		CONFIG_EVM)
#else
#define LSMPMON_NAMED_SINCE_6_8(X)
#endif

/*
 * Functions that security.c calls by name before Linux 6.9: X(hook, when, module,
 * config option).  "when" is 0 before the callbacks in the list, and 1 to 3 after them,
 * in that order; functions of vendors come last.  Not every kernel has all of these
 * hooks.
 */
#define LSMPMON_INTEGRITY_CALLBACKS(X)					\
	X(bprm_check_security,	1, ima,		CONFIG_IMA)		\
	X(inode_free_security,	0, integrity,	CONFIG_INTEGRITY)	\
	X(inode_init_security,	1, evm,		CONFIG_EVM)		\
	X(inode_setattr,	1, evm,		CONFIG_EVM)		\
	X(inode_setxattr,	1, capability,	CONFIG_SECURITY)	\
	X(inode_setxattr,	2, ima,		CONFIG_IMA_APPRAISE)	\
	X(inode_setxattr,	3, evm,		CONFIG_EVM)		\
	X(inode_set_acl,	1, ima,		CONFIG_IMA_APPRAISE)	\
	X(inode_set_acl,	2, evm,		CONFIG_EVM)		\
	X(inode_remove_acl,	1, ima,		CONFIG_IMA_APPRAISE)	\
	X(inode_remove_acl,	2, evm,		CONFIG_EVM)		\
	X(inode_post_setxattr,	1, evm,		CONFIG_EVM)		\
	X(inode_removexattr,	1, capability,	CONFIG_SECURITY)	\
	X(inode_removexattr,	2, ima,		CONFIG_IMA_APPRAISE)	\
	X(inode_removexattr,	3, evm,		CONFIG_EVM)		\
	X(mmap_file,		1, ima,		CONFIG_IMA)		\
	X(file_mprotect,	1, ima,		CONFIG_IMA)		\
	X(kernel_module_request, 1, integrity,				\
	  CONFIG_INTEGRITY_ASYMMETRIC_KEYS)				\
	X(kernel_read_file,	1, ima,		CONFIG_IMA)		\
	X(kernel_post_read_file, 1, ima,	CONFIG_IMA)		\
	X(kernel_load_data,	1, ima,		CONFIG_IMA)		\
	X(kernel_post_load_data, 1, ima,	CONFIG_IMA)		\
	LSMPMON_NAMED_SINCE_6_8(X)
#endif

#define LSMPMON_NAMED_CALLBACKS(X)					\
	LSMPMON_INTEGRITY_CALLBACKS(X)					\
	LSMPMON_VENDOR_CALLBACKS(X)

/*
 * Places in the order of a hook: functions called by name before the list, the list,
 * with one callback of each module, and functions called by name after the list.  If
 * an out-of-tree module makes the list longer, the surplus callbacks share a place.
 */
enum {
	LSMPMON_LISTED = 1,
	LSMPMON_SURPLUS = LSMPMON_LISTED + 1 /* capability */ +
		IS_ENABLED(CONFIG_SECURITY_SELINUX) +
		IS_ENABLED(CONFIG_SECURITY_SMACK) +
		IS_ENABLED(CONFIG_SECURITY_TOMOYO) +
		IS_ENABLED(CONFIG_SECURITY_APPARMOR) +
		IS_ENABLED(CONFIG_SECURITY_LOADPIN) +
		IS_ENABLED(CONFIG_SECURITY_YAMA) +
		IS_ENABLED(CONFIG_SECURITY_SAFESETID) +
		IS_ENABLED(CONFIG_SECURITY_LOCKDOWN_LSM) +
		IS_ENABLED(CONFIG_SECURITY_LANDLOCK) +
		IS_ENABLED(CONFIG_BPF_LSM) +
		LSMPMON_INTEGRITY_MODULES +
		IS_ENABLED(CONFIG_SECURITY_TUNABLE) +
		IS_ENABLED(CONFIG_SECURITY_LIDS),
	LSMPMON_PLACES = LSMPMON_SURPLUS + LSMPMON_VENDOR_FIRST +
		LSMPMON_VENDOR_WHENS,
};

/* Place of a function that is called by name. */
#define LSMPMON_NAMED_PLACE(WHEN)	((WHEN) ? LSMPMON_SURPLUS + (WHEN) : 0)

unsigned int lsmpmon_place(const struct hlist_head *list,
			   const struct security_hook_list *callback);

#endif /* _LINUX_LSMPMON_LISTS_H */
