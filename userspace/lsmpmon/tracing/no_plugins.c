// SPDX-License-Identifier: GPL-2.0-only
/*
 * libtraceevent has a loader of plugins, of which lsmpmon needs none. The C library's dlopen() in a static program would need
 * its shared files at run time, so the linker is told to call this instead, see the Makefile.
 */
#include <stddef.h>

void *__wrap_dlopen(const char *file, int mode);

void *__wrap_dlopen(const char *file, int mode)
{
	(void)file, (void)mode;
	return NULL;
}
