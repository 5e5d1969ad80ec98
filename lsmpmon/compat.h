/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: differences between kernels
 *
 * How a hook calls its callbacks, the main difference, is in headers of its own for
 * security.c, see lsmpmon_hooks.h.
 */

#ifndef _SECURITY_LSMPMON_COMPAT_H
#define _SECURITY_LSMPMON_COMPAT_H

#include <linux/dcache.h>
#include <linux/kernfs.h>
#include <linux/lsm_hooks.h>
#include <linux/preempt.h>
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

/* Whether the architecture has tracepoints at entry and exit of system calls. */
#if defined(CONFIG_HAVE_SYSCALL_TRACEPOINTS) && defined(CONFIG_TRACEPOINTS)
#define LSMPMON_HAS_CALLS	1
#else
#define LSMPMON_HAS_CALLS	0
#endif

#define LSMPMON_HAS_CGROUPS	IS_ENABLED(CONFIG_CGROUPS)

/* Linux 5.15 leaves the end of a longer name behind a task's new one. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#define LSMPMON_PADS_NAMES	0
#else
#define LSMPMON_PADS_NAMES	1
#endif

/**
 * lsmpmon_pad_name - pad a copy of a task's name with zeroes
 * @name: the copy, of TASK_COMM_LEN bytes
 *
 * Context: any.
 */
static __always_inline void lsmpmon_pad_name(char *name)
{
	size_t length;

	if (LSMPMON_PADS_NAMES)
		return;
	length = strnlen(name, TASK_COMM_LEN);
	memset(name + length, 0, TASK_COMM_LEN - length);
}

/**
 * lsmpmon_module_name - name of the module at a place in the order of a hook
 * @hook: number of the hook
 * @place: place, below LSMPMON_PLACES; callbacks are called in the order of places
 *
 * Context: any, after the modules were initialised.
 * Return: the name, or NULL if the place is free.
 */
const char *lsmpmon_module_name(enum lsmpmon_hook hook, unsigned int place);
unsigned int lsmpmon_module_place(enum lsmpmon_hook hook, unsigned int place);

/**
 * lsmpmon_show_modules - print the names of the active modules, separated by commas
 * @m: the file
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

/* The caller holds the RCU read lock, which protects the name since Linux 6.15. */
static inline const char *lsmpmon_kernfs_name(const struct kernfs_node *node)
{
	return (__force const char *)READ_ONCE(node->name);
}

/* Before Linux 5.16, and in kernels of that age that have a function of this name. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 16, 0)
static __always_inline unsigned int lsmpmon_context_level(void)
{
	if (in_nmi())
		return 3;
	return in_hardirq() ? 2 : !!in_serving_softirq();
}

#define interrupt_context_level	lsmpmon_context_level
#endif

/* Old name, before Linux 6.17, of the workqueue that is not bound to a CPU. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define system_dfl_wq	system_unbound_wq
#endif

#endif /* _SECURITY_LSMPMON_COMPAT_H */
