/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: hooks with lists
 *
 * Before Linux 6.12 each hook has a list of callbacks, and what IMA and EVM do
 * is called by security.c by name.  The first names here are those of
 * lsmpmon_static_calls.h, too.
 */

#ifndef _LINUX_LSMPMON_LISTS_H
#define _LINUX_LSMPMON_LISTS_H

#include <linux/kconfig.h>
#include <linux/lsm_hooks.h>
#include <linux/rculist.h>
#include <linux/version.h>

/*
 * The copies below stop at what is not zero.  Later kernels, on their way to
 * static calls, stop at what is not the hook's default: measured by these, such
 * a kernel would decide otherwise than unmeasured.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#error "lsmpmon has no seam for Linux 6.2 to 6.11"
#endif

/* A loop over the callbacks of a hook, the one that it has come to, its place. */
#define LSMPMON_EACH(P, HOOK)						\
	hlist_for_each_entry(P, &security_hook_heads.HOOK, list)
#define LSMPMON_OF(P, HOOK)	((P)->hook.HOOK)
#define LSMPMON_PLACE(P, HOOK)						\
	lsmpmon_place(&security_hook_heads.HOOK, P)

/* Call them, as ever. */
#define LSMPMON_DISPATCH_VOID(HOOK, ...)				\
do {									\
	struct security_hook_list *__p;					\
									\
	LSMPMON_EACH(__p, HOOK)						\
		__p->hook.HOOK(__VA_ARGS__);				\
} while (0)

#define LSMPMON_DISPATCH_INT(RC, HOOK, DONE, ...)			\
do {									\
	struct security_hook_list *__p;					\
									\
	LSMPMON_EACH(__p, HOOK) {					\
		RC = __p->hook.HOOK(__VA_ARGS__);			\
		if (RC != 0)						\
			break;						\
	}								\
} while (0)

/* The same for what the filter passes over. */
#define LSMPMON_PASS_VOID(HOOK, ...)					\
do {									\
	struct security_hook_list *__p;					\
									\
	LSMPMON_EACH(__p, HOOK) {					\
		__p->hook.HOOK(__VA_ARGS__);				\
		LSMPMON_APART(0);					\
	}								\
} while (0)

#define LSMPMON_PASS_INT(RC, HOOK, DONE, ...)				\
do {									\
	struct security_hook_list *__p;					\
									\
	LSMPMON_EACH(__p, HOOK) {					\
		RC = __p->hook.HOOK(__VA_ARGS__);			\
		LSMPMON_APART(0);					\
		if (RC != 0)						\
			break;						\
	}								\
} while (0)

/*
 * Call them and measure each.  The place is found anew for each: a variable
 * alive over the callbacks would take a register that is saved on all paths.
 */
#define LSMPMON_DETAIL_VOID(HOOK, ...)					\
do {									\
	struct security_hook_list *__p;					\
									\
	LSMPMON_EACH(__p, HOOK) {					\
		LSMPMON_CALLBACK_ENTER(HOOK, LSMPMON_PLACE(__p, HOOK));	\
		__p->hook.HOOK(__VA_ARGS__);				\
		lsmpmon_callback_exit(0);				\
	}								\
} while (0)

#define LSMPMON_DETAIL_INT(RC, NO_OPINION, HOOK, DONE, ...)		\
do {									\
	struct security_hook_list *__p;					\
									\
	LSMPMON_EACH(__p, HOOK) {					\
		LSMPMON_CALLBACK_ENTER(HOOK, LSMPMON_PLACE(__p, HOOK));	\
		RC = __p->hook.HOOK(__VA_ARGS__);			\
		RC = LSMPMON_CALLBACK_EXIT(RC, NO_OPINION);		\
		if (RC != 0)						\
			break;						\
	}								\
} while (0)

/*
 * What security.c calls by name: X(hook, when, module, where it is built).
 * When: 0 is before the callbacks in the list; 1 to 3 come after them, in that
 * order.
 */
#define LSMPMON_NAMED_CALLBACKS(X)					\
	X(bprm_check_security,	1, ima,		CONFIG_IMA)		\
	X(inode_free_security,	0, integrity,	CONFIG_INTEGRITY)	\
	X(inode_init_security,	1, evm,		CONFIG_EVM)		\
	X(inode_setattr,	1, evm,		CONFIG_EVM)		\
	X(inode_setxattr,	1, capability,	CONFIG_SECURITY)	\
	X(inode_setxattr,	2, ima,		CONFIG_IMA_APPRAISE)	\
	X(inode_setxattr,	3, evm,		CONFIG_EVM)		\
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
	X(kernel_post_load_data, 1, ima,	CONFIG_IMA)

enum {
#define LSMPMON_NAMED(HOOK, WHEN, MODULE, CONFIG)			\
	LSMPMON_WHEN_##HOOK##_##MODULE = WHEN,				\
	LSMPMON_BUILT_##HOOK##_##MODULE = IS_ENABLED(CONFIG),
	LSMPMON_NAMED_CALLBACKS(LSMPMON_NAMED)
#undef LSMPMON_NAMED
	LSMPMON_WHENS = 4,
};

/* Whether a hook has any of these, which the compiler knows. */
static __always_inline bool lsmpmon_has_named(enum lsmpmon_hook hook)
{
#define LSMPMON_NAMED(HOOK, WHEN, MODULE, CONFIG)			\
	if (hook == LSMPMON_HOOK_##HOOK && IS_ENABLED(CONFIG))		\
		return true;
	LSMPMON_NAMED_CALLBACKS(LSMPMON_NAMED)
#undef LSMPMON_NAMED
	return false;
}

#define LSMPMON_HAS_MODULES(HOOK)					\
	(lsmpmon_has_named(LSMPMON_HOOK_##HOOK) ||			\
	 security_hook_heads.HOOK.first)

/*
 * Places in the order of a hook: first what is called by name before the list,
 * then the list, in which each module has one callback, then what comes after
 * it.  Should an LSM that Linux does not have make a list longer than that,
 * the surplus shares a place.
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
		IS_ENABLED(CONFIG_SECURITY_TUNABLE),
	MAX_LSM_COUNT = LSMPMON_SURPLUS + LSMPMON_WHENS,
};

/* The place of what is called by name. */
#define LSMPMON_NAMED_PLACE(WHEN)	((WHEN) ? LSMPMON_SURPLUS + (WHEN) : 0)

unsigned int lsmpmon_place(const struct hlist_head *list,
			   const struct security_hook_list *callback);

/*
 * A hook of which @THEN is a part, after the callbacks in its list; the
 * verdict of it all is in @RC.  No part may be left by return or goto.
 */
#define lsmpmon_int_hook(RC, HOOK, NO_OPINION, ARGS, THEN)		\
do {									\
	RC = NO_OPINION;						\
	if (!LSMPMON_INT_CALL(RC, HOOK, THEN, LSMPMON_UNWRAP ARGS)) {	\
		LSMPMON_DISPATCH_INT(RC, HOOK, DONE,			\
				     LSMPMON_UNWRAP ARGS);		\
		THEN							\
	}								\
} while (0)

/* The same without a verdict, and something may come first, too. */
#define lsmpmon_void_hook(HOOK, ARGS, FIRST, THEN)			\
do {									\
	if (!LSMPMON_VOID_CALL(HOOK, FIRST, THEN, LSMPMON_UNWRAP ARGS)) { \
		FIRST							\
		LSMPMON_DISPATCH_VOID(HOOK, LSMPMON_UNWRAP ARGS);	\
		THEN							\
	}								\
} while (0)

#ifdef CONFIG_SECURITY_LSMPMON

/* In such a part: call a module by name. */
#define lsmpmon_named(HOOK, MODULE, CALL)				\
({									\
	const bool __measured = lsmpmon_in_detail &&			\
				LSMPMON_BUILT_##HOOK##_##MODULE;	\
	int __ret;							\
									\
	if (__measured)							\
		LSMPMON_CALLBACK_ENTER(HOOK, LSMPMON_NAMED_PLACE(	\
				LSMPMON_WHEN_##HOOK##_##MODULE));	\
	__ret = CALL;							\
	if (__measured)							\
		lsmpmon_callback_exit(__ret);				\
	__ret;								\
})

#else

#define lsmpmon_named(HOOK, MODULE, CALL)	(CALL)

#endif

#define lsmpmon_named_void(HOOK, MODULE, CALL)				\
	((void)lsmpmon_named(HOOK, MODULE, (CALL, 0)))

#endif /* _LINUX_LSMPMON_LISTS_H */
