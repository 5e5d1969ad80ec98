/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_MONITOR_H
#define LSMPMON_MONITOR_H

#include "run.h"

#define LSMMON "/sys/kernel/security/lsmmon"

/* 0, or -1 after a complaint: there is no monitor in @dir, or not for us. */
int monitor_check(const char *dir);

/* A file of it, to be freed; NULL after a complaint. */
char *monitor_read(const char *dir, const char *file);

/* 0; -1 after a complaint: the kernel refused it. */
int monitor_write(const char *dir, const char *file, const char *text);

/* As monitor_write(), without complaint: 0, or the error. */
int monitor_try(const char *dir, const char *file, const char *text);

/* Every file that can be read. 0, or -1 after a complaint. */
int monitor_read_all(const char *dir, struct run *run);

#endif
