/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_KEEP_H
#define LSMPMON_KEEP_H

#include <stdbool.h>

#include "run.h"

/**
 * struct keep - how the monitor was, to leave it so
 * @dir: where it is
 * @lock: a descriptor; as long as it is open nobody else keeps the monitor
 * @state: its files control, features and filter
 */
struct keep {
	const char *dir;
	int lock;
	struct run state;
};

/* 0, or -1 after a complaint: the monitor is not there, or somebody else uses it. */
int keep_begin(struct keep *keep, const char *dir);

/* All as it was, but the counters. 0, or -1 after a complaint. */
int keep_end(struct keep *keep);

/*
 * 0, or -1 after a complaint: somebody measures a process. That could not be restored: children that the process
 * has since then would not have its mark.
 */
int keep_check_process(const struct keep *keep);

#endif
