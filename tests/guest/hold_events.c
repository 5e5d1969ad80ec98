// SPDX-License-Identifier: GPL-2.0-only
/*
 * hold_events ID...: as a user without privileges, have perf count trace events
 * of one's own calls, as long as one is let live.  Says how many it opened.
 */

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(long id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr),
		.config = id, .exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

int main(int argc, char **argv)
{
	int i, opened = 0;

	if (setuid(1000))
		return 1;
	for (i = 1; i < argc; i++)
		opened += open_event(atol(argv[i])) >= 0;
	printf("opened %d of %d\n", opened, argc - 1);
	fflush(stdout);
	pause();
	return 0;
}
