/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Security modules of lsmpmon: how they register in each kernel
 *
 * They need no monitor.
 */

#ifndef _SECURITY_TUNABLE_REGISTRATION_H
#define _SECURITY_TUNABLE_REGISTRATION_H

#include <linux/init.h>
#include <linux/lsm_hooks.h>
#include <linux/version.h>

/* Before Linux 6.8, modules have only a name. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
#define LSMPMON_REGISTERED(ID)	(ID)
#else
struct lsm_id {
	const char *name;
	u64 id;
};

/* Before Linux 6.0, not const. */
#define LSMPMON_REGISTERED(ID)	((char *)(ID)->name)
#endif

/* In DEFINE_LSM(): the name is only in struct lsm_id since Linux 6.19. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
#define LSMPMON_LSM_NAME(ID, NAME)	.id = (ID)
#else
#define LSMPMON_LSM_NAME(ID, NAME)	.name = (NAME)
#endif

/**
 * lsmpmon_add_hooks - register callbacks
 * @hooks: the callbacks
 * @count: number of callbacks
 * @id: the module
 *
 * Context: security_init().
 */
static inline void __init
lsmpmon_add_hooks(struct security_hook_list *hooks, int count,
		  const struct lsm_id *id)
{
	security_add_hooks(hooks, count, LSMPMON_REGISTERED(id));
}

#endif /* _SECURITY_TUNABLE_REGISTRATION_H */
