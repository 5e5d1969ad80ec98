/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_CONFINE_H
#define LMBENCH_HOOK_CONFINE_H

#include <stddef.h>

int confine_beneath(const char *dir, size_t others);
int confine_writes(const char *dir);

#endif
