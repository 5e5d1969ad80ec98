// SPDX-License-Identifier: GPL-2.0-only
/* What is being measured, on a terminal; nothing elsewhere. */

#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

void progress_show(const char *name, size_t number, size_t count)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[Kmeasuring %s (%zu of %zu)", name, number, count);
}

/* Whoever calls this has something to say, and errno may be what. */
void progress_clear(void)
{
	int reason = errno;

	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	errno = reason;
}
