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

/* 0, or -1 after a complaint: the monitor is not there, or another lsmpmon uses it. */
int keep_begin(struct keep *keep, const char *dir);

/* All as it was, but the counters. 0, or -1 after a complaint. */
int keep_end(struct keep *keep);

/* Whether its filter had a line of that letter. */
bool keep_has_filter(const struct keep *keep, char letter);

#endif
