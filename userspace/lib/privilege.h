/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_PRIVILEGE_H
#define LSMPMON_PRIVILEGE_H

#include <stdbool.h>

/* Whether this process is in a container: its process or user namespace is not that of the machine. */
bool privilege_is_contained(void);

/* What to do after the kernel has refused to open a file of the monitor, as the end of a sentence. */
const char *privilege_missing(void);

#endif
