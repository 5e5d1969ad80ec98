// SPDX-License-Identifier: GPL-2.0-only
/* The switch of system calls is found where only its own file knows it, too, as on Linux 7.3. */
#include "fake.h"

HOOK(file_permission)
HOOK(file_receive)

long __x64_sys_read(void *regs) { return security_file_permission(regs); }
long __x64_sys_recv(void *regs) { return security_file_receive(regs); }
long __x64_sys_ni_syscall(void *regs) { return -38; }

static __noinline long x64_sys_call(void *regs, unsigned int nr)
{
	switch (nr) {
	case 0: return __x64_sys_read(regs);
	case 1: return __x64_sys_recv(regs);
	case 2: return __x64_sys_recv(regs);
	default: return __x64_sys_ni_syscall(regs);
	}
}

long do_syscall_64(void *regs, unsigned int nr)
{
	return x64_sys_call(regs, nr);
}
