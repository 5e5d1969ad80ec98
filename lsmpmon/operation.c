// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the operation that a task is in
 */

#include <linux/io_uring.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "operation.h"

/*
 * Whether the current task entered the kernel from user mode, so that its
 * registers are those of a system call.  Usermode helpers such as modprobe run in
 * tasks that are not kernel threads and have zeroed registers, which look like
 * read().  Such a task is marked newborn until its stack pointer has moved from
 * where execve() put it.
 */
static bool lsmpmon_is_from_user(struct lsmpmon_task *t)
{
	struct pt_regs *regs = task_pt_regs(current);

	if (!user_mode(regs)) {
		WRITE_ONCE(t->uring, LSMPMON_NEWBORN);
		return false;
	}
	if (READ_ONCE(t->uring) == LSMPMON_NEWBORN && current->mm &&
	    current_user_stack_pointer() == READ_ONCE(current->mm->start_stack))
		return false;
	WRITE_ONCE(t->uring, LSMPMON_FROM_USER);
	return true;
}

/* The operation according to the registers of the current task. */
static unsigned int lsmpmon_operation_of_regs(struct lsmpmon_task *t)
{
	if ((current->flags & PF_USER_WORKER) || !lsmpmon_is_from_user(t))
		return LSMPMON_NO_OPERATION;
	return lsmpmon_system_call(syscall_get_nr(current,
						  task_pt_regs(current)),
				   syscall_get_arch(current));
}

/*
 * Whether the current task is exiting or dumping core.  Its hook calls are no
 * longer work of the system call in which it was killed, whose number the user
 * chooses and which may not even exist.  They count as one operation, so that users
 * cannot create pairs in this way.
 */
static bool lsmpmon_is_ending(void)
{
	return current->flags & LSMPMON_ENDING;
}

/**
 * lsmpmon_operation - operation that the current task is in
 *
 * Context: any; called from the hot path.
 * Return: the operation; LSMPMON_NO_OPERATION in interrupts, kernel threads and
 *	outside of system calls.
 */
unsigned int lsmpmon_operation(void)
{
	struct lsmpmon_task *t = &current->lsmpmon;
	/* An interrupt may change this, but only to another valid state. */
	const unsigned int uring = READ_ONCE(t->uring);

	if (!in_task() || (current->flags & PF_KTHREAD))
		return LSMPMON_NO_OPERATION;
	if (uring && uring < LSMPMON_FROM_USER)
		return LSMPMON_URING + uring - 1;
	if (lsmpmon_is_ending())
		return __NR_exit_group;
	return lsmpmon_operation_of_regs(t);
}

/**
 * lsmpmon_forget_operations - clear the io_uring operation of all tasks
 *
 * While hook calls were not watched, operations ended without being cleared.
 *
 * Context: any, while hook calls are not watched.
 */
void lsmpmon_forget_operations(void)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		if (READ_ONCE(thread->lsmpmon.uring) < LSMPMON_FROM_USER)
			WRITE_ONCE(thread->lsmpmon.uring, 0);
	rcu_read_unlock();
}

/* Names of the system calls, generated from the tables of x86 by the Makefile. */

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

/* Write a system call's name, or its number if no table has it. */
static void lsmpmon_name_call(const char *prefix, const char *const *names, size_t known,
			      unsigned int nr, char *name, size_t size)
{
	if (nr < known && names[nr])
		snprintf(name, size, "%s%s", prefix, names[nr]);
	else
		snprintf(name, size, "%s%u", prefix, nr);
}

/**
 * lsmpmon_operation_name - write the name of an operation
 * @operation: the operation
 * @name: buffer for the name
 * @size: size of the buffer; LSMPMON_OPERATION_NAME holds every name
 *
 * A system call has its name, or its number if no table has the name, with the
 * prefix `compat:` for 32-bit calls on a 64-bit kernel.  Operations of io_uring
 * have the prefix `uring:`.  LSMPMON_NO_OPERATION is `-`, LSMPMON_OTHER `other`.
 *
 * Context: any.
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
		lsmpmon_name_call("compat:", compat_names, ARRAY_SIZE(compat_names),
				  operation - LSMPMON_COMPAT, name, size);
	else
		lsmpmon_name_call("", native_names, ARRAY_SIZE(native_names), operation,
				  name, size);
}
