// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what the kernel does for a task
 */

#include <linux/io_uring.h>
#include <linux/string.h>

#include "syscall.h"

/*
 * In struct lsmpmon_task, in place of an operation of io_uring: the kernel made
 * the task for a program that has not run yet.
 */
#define NEWBORN		(~0U)

/*
 * Whether the registers of the current task are those of a system call, as far
 * as its mode tells.  The kernel starts programs of its own, such as modprobe,
 * in tasks that are not kernel threads and have zeroes for registers, which
 * would be read().  Such a task is noted as newborn until it is seen to have
 * moved the stack that its program begins with.
 */
static bool came_from_user_mode(struct lsmpmon_task *t)
{
	struct pt_regs *regs = task_pt_regs(current);

	if (!user_mode(regs)) {
		t->uring = NEWBORN;
		return false;
	}
	if (likely(t->uring != NEWBORN))
		return true;
	if (current->mm &&
	    current_user_stack_pointer() == READ_ONCE(current->mm->start_stack))
		return false;
	t->uring = 0;
	return true;
}

/* What registers tell. */
static unsigned int system_call(struct lsmpmon_task *t)
{
	if ((current->flags & PF_USER_WORKER) || !came_from_user_mode(t))
		return LSMPMON_NO_OPERATION;
	return lsmpmon_system_call(syscall_get_nr(current,
						  task_pt_regs(current)),
				   syscall_get_arch(current));
}

/*
 * Whether the current task is exiting or dumping core.  The hooks that it then
 * calls are not work of the system call it was killed in, which may not even
 * exist.  Counted as one operation, they make no new pairs, whatever number a
 * user chooses to be killed at.
 */
static bool is_ending(void)
{
	return current->flags & LSMPMON_ENDING;
}

/**
 * lsmpmon_operation - what the kernel does for the current task
 * @fallback: set to whether registers told, since the audit context did not
 *	know
 *
 * Context: any; called from the hot path.
 * Return: the operation; LSMPMON_NO_OPERATION for interrupts, kernel threads
 *	and tasks that are in no system call.
 */
unsigned int lsmpmon_operation(bool *fallback)
{
	struct lsmpmon_task *t = &current->lsmpmon;
	const unsigned int uring = t->uring;
	unsigned int operation;
	int nr, arch;

	*fallback = false;
	if (!in_task() || (current->flags & PF_KTHREAD))
		return LSMPMON_NO_OPERATION;
	if (uring && uring != NEWBORN)
		return LSMPMON_URING + uring - 1;
	if (is_ending())
		return __NR_exit_group;
	nr = audit_current_syscall(&arch);
	if (nr >= 0)
		return lsmpmon_system_call(nr, arch);
	operation = system_call(t);
	*fallback = operation != LSMPMON_NO_OPERATION;
	return operation;
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

/* A system call's name, or its number where the kernel does not know it. */
static void name_call(const char *prefix, const char *const *names, size_t known,
		      unsigned int nr, char *name, size_t size)
{
	if (nr < known && names[nr])
		snprintf(name, size, "%s%s", prefix, names[nr]);
	else
		snprintf(name, size, "%s%u", prefix, nr);
}

/**
 * lsmpmon_operation_name - the name of an operation
 * @operation: which
 * @name: where it goes: a system call's name, or its number where the kernel
 *	does not know it, after `compat:` if it is a 32-bit call on a 64-bit
 *	kernel; `uring:` and the name of one of io_uring; `-` for neither;
 *	`other` for LSMPMON_OTHER
 * @size: how much of it
 */
void lsmpmon_operation_name(unsigned int operation, char *name, size_t size)
{
	if (operation == LSMPMON_NO_OPERATION)
		snprintf(name, size, "-");
	else if (operation == LSMPMON_OTHER)
		snprintf(name, size, "other");
	else if (operation >= LSMPMON_URING)
		snprintf(name, size, "uring:%s",
			 io_uring_get_opcode(operation - LSMPMON_URING));
	else if (operation >= LSMPMON_COMPAT)
		name_call("compat:", compat_names, ARRAY_SIZE(compat_names),
			  operation - LSMPMON_COMPAT, name, size);
	else
		name_call("", native_names, ARRAY_SIZE(native_names), operation,
			  name, size);
}
