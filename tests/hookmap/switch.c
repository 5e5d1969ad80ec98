// SPDX-License-Identifier: GPL-2.0-only
/* System calls are entered through a switch; two numbers are one function, one is none. */
#include "fake.h"

HOOK(file_receive)
HOOK(file_permission)

long __x64_sys_read(void *regs) { return security_file_permission(regs); }
long __x64_sys_recv(void *regs) { return security_file_receive(regs); }
long __x64_sys_ni_syscall(void *regs) { return -38; }

long x64_sys_call(void *regs, unsigned int nr)
{
	switch (nr) {
	case 0: return __x64_sys_read(regs);
	case 1: return __x64_sys_recv(regs);
	case 2: return __x64_sys_recv(regs);
	default: return __x64_sys_ni_syscall(regs);
	}
}
