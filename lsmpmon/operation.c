// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what the kernel does for a task
 */

#include <linux/io_uring.h>
#include <linux/string.h>

#include "syscall.h"

/**
 * lsmpmon_operation - what the kernel does for the current task
 *
 * Context: any; called from the hot path.
 * Return: the operation; zero for interrupts, kernel threads and tasks that
 *	are in no system call.
 */
unsigned int lsmpmon_operation(void)
{
	unsigned int uring = current->lsmpmon.uring;
	unsigned int operation;
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
	operation = lsmpmon_system_call(syscall_get_nr(current,
						       task_pt_regs(current)),
					syscall_get_arch(current));
	return operation ? operation | LSMPMON_OPERATION_REGISTERS : 0;
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

/* Names as programs have them; the Makefile makes these of x86's tables. */

static const char *const native_names[] = {
#if defined(CONFIG_X86_64)
#include "syscall_names_64.h"
#elif defined(CONFIG_X86_32)
#include "syscall_names_32.h"
#endif
};

static const char *const compat_names[] = {
#if defined(CONFIG_IA32_EMULATION)
#include "syscall_names_32.h"
#endif
};

static const char *name_of(unsigned int operation)
{
	const unsigned int nr = operation & LSMPMON_OPERATION_NR;

	switch (operation & LSMPMON_OPERATION_KIND) {
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
	const unsigned int kind = operation & LSMPMON_OPERATION_KIND;
	const char *prefix = kind == LSMPMON_OPERATION_COMPAT ? "compat:" : "";
	const char *known = name_of(operation);

	if (!kind)
		snprintf(name, size, "-");
	else if (kind == LSMPMON_OPERATION_URING)
		snprintf(name, size, "uring:%s", io_uring_get_opcode(nr));
	else if (known)
		snprintf(name, size, "%s%s", prefix, known);
	else
		snprintf(name, size, "%s%u", prefix, nr);
}
