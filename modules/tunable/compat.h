/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: differences between kernels
 */

#ifndef _SECURITY_TUNABLE_COMPAT_H
#define _SECURITY_TUNABLE_COMPAT_H

#include <linux/lsm_hooks.h>
#include <linux/security.h>
#include <linux/version.h>

/* The audit log's id of an inode is a struct lsm_prop. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define TUNABLE_SECID_HOOK	inode_getlsmprop
#define tunable_secid		struct lsm_prop
#else
#define TUNABLE_SECID_HOOK	inode_getsecid
#define tunable_secid		u32
#endif

/* A probe of sched_process_exit has an argument more since Linux 6.16. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define TUNABLE_ON_EXIT(NAME, ...)	NAME(__VA_ARGS__, bool group_dead)
#else
#define TUNABLE_ON_EXIT(NAME, ...)	NAME(__VA_ARGS__)
#endif

/* Old name, before Linux 6.17, of the workqueue that is not bound to a CPU. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define system_dfl_wq	system_unbound_wq
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define tunable_idmap		struct mnt_idmap
#else
#define tunable_idmap		struct user_namespace
#endif

/* Each module can give a new file an xattr; before that, only one could. */
#define TUNABLE_HAS_XATTR_SLOTS	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0))

/* There is a hook after the removal of an xattr. */
#define TUNABLE_HAS_POST_REMOVEXATTR \
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0))

/*
 * Before Linux 6.11, a module's xattr hooks replace those of the capability
 * module, so they have to call these.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
static inline int tunable_cap_setxattr(struct dentry *dentry, const char *name,
				       const void *value, size_t size, int flags)
{
	return 0;
}

static inline int tunable_cap_removexattr(tunable_idmap *idmap,
					  struct dentry *dentry,
					  const char *name)
{
	return 0;
}
#else
#define tunable_cap_setxattr	cap_inode_setxattr
#define tunable_cap_removexattr	cap_inode_removexattr
#endif

/* Value that leaves a change of an xattr to the capability module. */
#define TUNABLE_LEFT_TO_CAPABILITY \
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0) ? 0 : 1)

#endif /* _SECURITY_TUNABLE_COMPAT_H */
