/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_MONITOR_H
#define LMBENCH_HOOK_MONITOR_H

#include <stdbool.h>

/**
 * struct monitor - the kernel's lsmmon/ files that begin and end a measurement
 * @lock: a descriptor; as long as it is open no other program of ours uses the monitor
 * @control: its descriptor, or -1 without a monitor
 * @reset: its descriptor
 * @on: it counts just now
 * @begun: it has counted before: what it holds is kept
 *
 * They are open before the work begins, so that beginning and ending it are one write each.
 */
struct monitor {
	int lock;
	int control;
	int reset;
	bool on;
	bool begun;
};

int monitor_open(struct monitor *monitor, const char *dir);
int monitor_start(struct monitor *monitor);
int monitor_stop(struct monitor *monitor);

#endif
