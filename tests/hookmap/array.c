// SPDX-License-Identifier: GPL-2.0-only
/* System calls are entered through an array of functions; one of them is none. */
#include "fake.h"

HOOK(file_receive)
HOOK(file_permission)
HOOK(inode_rename)

typedef long (*syscall_fn_t)(void *regs);

long __arm64_sys_read(void *regs) { return security_file_permission(regs); }
long __arm64_sys_recv(void *regs) { return security_file_receive(regs); }
long __arm64_sys_renameat(void *regs) { return security_inode_rename(regs); }
long __arm64_sys_ni_syscall(void *regs) { return -38; }

const syscall_fn_t sys_call_table[] = {
	__arm64_sys_read, __arm64_sys_recv, __arm64_sys_renameat, __arm64_sys_ni_syscall,
	__arm64_sys_recv,
};
