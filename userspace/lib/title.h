/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TITLE_H
#define LSMPMON_TITLE_H

#include "record.h"

/* What was measured, and where and how: parts of titles, as text for the caller to free, which may be empty. */

/* The command, the process, or that it was the whole system; of the monitor as it is now, that this was counted. */
char *title_command(const struct record *record);

/* When the first run was recorded and when the last, or when the monitor was read; nothing where no date is true. */
char *title_date(const struct record *record);

/* Kernel and runner. */
char *title_kernel(const struct record *record);
char *title_modules(const struct record *record);

/* Features, and the filter, if one is set. */
char *title_settings(const struct record *record);

/* Put parts into one line. Skips empty ones, and frees all. */
char *title_line(char *const *parts, size_t count);

#endif
