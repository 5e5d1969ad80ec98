/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_PROGRESS_H
#define LMBENCH_HOOK_PROGRESS_H

#include <stddef.h>

void progress_show(const char *name, size_t number, size_t count);
void progress_clear(void);

#endif
