// SPDX-License-Identifier: GPL-2.0-only
/* Shows on a terminal what is being measured. */

#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "clock.h"

void progress_show(const char *name, size_t number, size_t count)
{
	static uint64_t began;

	began = began ?: clock_ns();
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[Kmeasuring %s (%zu of %zu), %.0f s so far", name, number, count,
			(clock_ns() - began) / 1e9);
}

/* Keeps errno, which the caller may be about to report. */
void progress_clear(void)
{
	int reason = errno;

	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	errno = reason;
}
