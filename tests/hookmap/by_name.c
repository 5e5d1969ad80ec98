// SPDX-License-Identifier: GPL-2.0-only
/* IMA, EVM and capability that are called by name, without a hook, as on Linux 6.1: always, or only with a flag. */
#include "fake.h"

HOOK(file_open)

int ima_file_check(void *o);

long sys_open(void *o)
{
	int error = security_file_open(o);

	return error ?: ima_file_check(o);
}

long sys_fchmod(void *o, int flags)
{
	return flags & 1 ? ima_file_check(o) : 0;
}
