/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_MONITOR_H
#define LMBENCH_HOOK_MONITOR_H

#include <stdbool.h>

/**
 * struct monitor - the files in lsmmon/ that start and stop the monitor
 * @lock: file descriptor; while it is open, no other program of ours uses the monitor
 * @control: descriptor of this file, or -1 without a monitor
 * @reset: descriptor of this file
 * @on: the monitor is on
 * @begun: it has been on before, so its counts must be kept
 *
 * The files are opened before the work, so that start and stop are one write each.
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
