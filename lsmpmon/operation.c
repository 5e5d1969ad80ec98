// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what the kernel does for a task
 */

#include <linux/io_uring.h>
#include <linux/string.h>

#include "syscall.h"

/**
 * lsmpmon_operation - what the kernel does for the current task
 * @fallbacks: incremented if the audit context did not know and the registers
 *	had to be asked
 *
 * Context: any; called from the hot path.
 * Return: the operation; zero for interrupts, kernel threads and tasks that
 *	are in no system call.
 */
unsigned int lsmpmon_operation(u64 *fallbacks)
{
	unsigned int uring = current->lsmpmon.uring;
	int nr, arch;

	if (!in_task() || (current->flags & PF_KTHREAD))
		return 0;
	if (uring)
		return LSMPMON_OPERATION_URING | (uring - 1);
	nr = audit_current_syscall(&arch);
	if (nr >= 0)
		return lsmpmon_system_call(nr, arch);
	if (current->flags & PF_USER_WORKER)
		return 0;
	nr = syscall_get_nr(current, task_pt_regs(current));
	if (nr < 0)
		return 0;
	++*fallbacks;
	return lsmpmon_system_call(nr, syscall_get_arch(current));
}

/**
 * lsmpmon_syscall_source - where the system call of a task is asked first
 *
 * Return: `audit` if tasks that are made now have an audit context, `ptregs`
 *	if only their registers tell.
 */
const char *lsmpmon_syscall_source(void)
{
	return IS_ENABLED(CONFIG_AUDITSYSCALL) && audit_enabled ? "audit" :
								  "ptregs";
}

/* Tables of names, where the architecture has them as macros. */

static const char *const native_names[] = {
#if defined(CONFIG_X86_64)
#define __SYSCALL(nr, sym) [nr] = #sym,
#define __SYSCALL_NORETURN __SYSCALL
#include <asm/syscalls_64.h>
#undef __SYSCALL_NORETURN
#undef __SYSCALL
#endif
};

static const char *const compat_names[] = {
#if defined(CONFIG_IA32_EMULATION)
#define __SYSCALL(nr, sym) [nr] = #sym,
#define __SYSCALL_NORETURN __SYSCALL
#define __SYSCALL_WITH_COMPAT(nr, sym, compat) [nr] = #sym,
#include <asm/syscalls_32.h>
#undef __SYSCALL_WITH_COMPAT
#undef __SYSCALL_NORETURN
#undef __SYSCALL
#endif
};

/* A few of the kernel's functions have other names than what they serve. */
static const char *user_name(const char *symbol)
{
	static const char *const renamed[][2] = {
		{ "newstat", "stat" }, { "newlstat", "lstat" },
		{ "newfstat", "fstat" }, { "newuname", "uname" },
		{ "umount", "umount2" }, { "oldumount", "umount" },
	};
	int i;

	if (!strncmp(symbol, "sys_", 4))
		symbol += 4;
	for (i = 0; i < ARRAY_SIZE(renamed); i++)
		if (!strcmp(symbol, renamed[i][0]))
			return renamed[i][1];
	return symbol;
}

static const char *symbol_of(unsigned int operation)
{
	const unsigned int nr = operation & LSMPMON_OPERATION_NR;

	switch (operation & ~LSMPMON_OPERATION_NR) {
	case LSMPMON_OPERATION_SYSCALL:
		return nr < ARRAY_SIZE(native_names) ? native_names[nr] : NULL;
	case LSMPMON_OPERATION_COMPAT:
		return nr < ARRAY_SIZE(compat_names) ? compat_names[nr] : NULL;
	default:
		return NULL;
	}
}

/**
 * lsmpmon_operation_name - the name of an operation
 * @operation: which
 * @name: where it goes: a system call's name, or its number where the kernel
 *	does not know it, after `compat:` if it is a 32-bit call on a 64-bit
 *	kernel; `uring:` and the name of one of io_uring; `-` for neither
 * @size: how much of it
 */
void lsmpmon_operation_name(unsigned int operation, char *name, size_t size)
{
	const unsigned int nr = operation & LSMPMON_OPERATION_NR;
	const unsigned int kind = operation & ~LSMPMON_OPERATION_NR;
	const char *prefix = kind == LSMPMON_OPERATION_COMPAT ? "compat:" : "";
	const char *symbol = symbol_of(operation);

	if (!kind)
		snprintf(name, size, "-");
	else if (kind == LSMPMON_OPERATION_URING)
		snprintf(name, size, "uring:%s", io_uring_get_opcode(nr));
	else if (symbol)
		snprintf(name, size, "%s%s", prefix, user_name(symbol));
	else
		snprintf(name, size, "%s%u", prefix, nr);
}
