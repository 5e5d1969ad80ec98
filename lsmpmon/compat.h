/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: differences between kernels
 *
 * The main difference is how a hook calls its callbacks.  What security.c needs
 * of that is in a header of its own, see lsmpmon_hooks.h.
 */

#ifndef _SECURITY_LSMPMON_COMPAT_H
#define _SECURITY_LSMPMON_COMPAT_H

#include <linux/dcache.h>
#include <linux/hrtimer.h>
#include <linux/kernfs.h>
#include <linux/lsm_hooks.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/version.h>
#include <asm/unistd.h>

#include "hook.h"

/* Before Linux 6.4, the only threads that act for user space are io_uring's. */
#ifndef PF_USER_WORKER
#define PF_USER_WORKER	PF_IO_WORKER
#endif

/*
 * Number of system calls; the tables of 32-bit calls in 64-bit kernels are all
 * shorter than this.
 */
#ifdef NR_syscalls
#define LSMPMON_NATIVE_CALLS	NR_syscalls
#else
#define LSMPMON_NATIVE_CALLS	__NR_syscalls
#endif

#ifdef IA32_NR_syscalls
#define LSMPMON_COMPAT_CALLS	(IS_ENABLED(CONFIG_COMPAT) * IA32_NR_syscalls)
#else
#define LSMPMON_COMPAT_CALLS	(IS_ENABLED(CONFIG_COMPAT) * 512)
#endif

/* Whether the kernel tells where system calls begin and end. */
#if defined(CONFIG_HAVE_SYSCALL_TRACEPOINTS) && defined(CONFIG_TRACEPOINTS)
#define LSMPMON_HAS_CALLS	1
#else
#define LSMPMON_HAS_CALLS	0
#endif

#define LSMPMON_HAS_CGROUPS	IS_ENABLED(CONFIG_CGROUPS)

/**
 * lsmpmon_module_name - the module at a place in the order of a hook
 * @hook: which hook
 * @place: below LSMPMON_PLACES; callbacks are called in the order of places
 *
 * Context: any, after the modules were initialised.
 * Return: its name, or NULL if the place is free.
 */
const char *lsmpmon_module_name(enum lsmpmon_hook hook, unsigned int place);
unsigned int lsmpmon_module_place(enum lsmpmon_hook hook, unsigned int place);

/**
 * lsmpmon_show_modules - print the active modules
 * @m: where to print their names, separated by commas
 *
 * Context: any, after the modules were initialised.
 */
void lsmpmon_show_modules(struct seq_file *m);

/* Since for_each_alias() exists, d_alias is no longer in the union d_u. */
#ifdef for_each_alias
#define lsmpmon_alias(NODE)	hlist_entry(NODE, struct dentry, d_alias)
#else
#define lsmpmon_alias(NODE)	hlist_entry(NODE, struct dentry, d_u.d_alias)
#endif

/* Called under RCU, which protects the name since 6.15. */
static inline const char *lsmpmon_kernfs_name(const struct kernfs_node *node)
{
	return (__force const char *)READ_ONCE(node->name);
}

/* Before Linux 6.17, the queue for work that may run on any CPU was called so. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define system_dfl_wq	system_unbound_wq
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *timer),
	      clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

#endif /* _SECURITY_LSMPMON_COMPAT_H */
