/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_MONITOR_H
#define LSMPMON_MONITOR_H

#include "run.h"

#define LSMMON "/sys/kernel/security/lsmmon"

/* Returns 0, or -1 after a complaint if there is no monitor in @dir or we may not use it. */
int monitor_check(const char *dir);

/* The content of one of its files, for the caller to free; NULL after a complaint. */
char *monitor_read(const char *dir, const char *file);

/* Returns 0, or -1 after a complaint if the kernel refuses. */
int monitor_write(const char *dir, const char *file, const char *text);

/* Like monitor_write(), without the complaint. Returns 0 or errno. */
int monitor_try(const char *dir, const char *file, const char *text);

/* Read every readable file. Returns 0, or -1 after a complaint. */
int monitor_read_all(const char *dir, struct run *run);

#endif
