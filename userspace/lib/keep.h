/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_KEEP_H
#define LSMPMON_KEEP_H

#include <stdbool.h>

#include "run.h"

/**
 * struct keep - the monitor's state before we used it
 * @dir: where it is
 * @lock: file descriptor; while it is open, no other program of ours uses the monitor
 * @session: file descriptor; when it is closed, the kernel restores the monitor; -1 if this kernel cannot
 * @state: its files control, features and filter
 */
struct keep {
	const char *dir;
	int lock;
	int session;
	struct run state;
};

/* Returns 0, or -1 after a complaint if there is no monitor or somebody else uses it. */
int keep_begin(struct keep *keep, const char *dir);

/* Restore everything but the counters. Returns 0, or -1 after a complaint. */
int keep_end(struct keep *keep);

/*
 * Returns 0, or -1 after a complaint if somebody is measuring a process and this kernel has no sessions. We could not
 * restore that: children forked in the meantime would lack its mark.
 */
int keep_check_process(const struct keep *keep);

#endif
