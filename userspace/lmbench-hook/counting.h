/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_COUNTING_H
#define LMBENCH_HOOK_COUNTING_H

#include <stdbool.h>

#include "keep.h"

/**
 * struct counting - the files in lsmmon/ that start and stop the monitor
 * @keep: what the monitor was before, and is again when this program ends
 * @control: descriptor of this file, or -1 without a monitor
 * @reset: descriptor of this file
 * @syscalls: descriptor of this file, or -1 unless its counts are wanted
 * @on: the monitor is on
 * @begun: it has been on before, so its counts must be kept
 *
 * The files are opened before the work, so that start and stop are one write each, and that a process which has
 * restricted itself with Landlock meanwhile has them.
 */
struct counting {
	struct keep keep;
	int control;
	int reset;
	int syscalls;
	bool on;
	bool begun;
};

/*
 * Without @dir, there is no monitor. With @by_syscall, count calls of this program only, and by system call. Returns 0,
 * or -1 after a complaint.
 */
int counting_open(struct counting *counting, const char *dir, bool by_syscall);

/* Save the counts by system call in a file, unless that is NULL, and leave the monitor as it was before. */
int counting_close(struct counting *counting, const char *syscalls);

int counting_start(struct counting *counting);
int counting_stop(struct counting *counting);

#endif
