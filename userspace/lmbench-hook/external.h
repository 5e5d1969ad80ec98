/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_EXTERNAL_H
#define LMBENCH_HOOK_EXTERNAL_H

#include <stddef.h>

int external_run(char **argv);
int external_self(char *path, size_t size);

#endif
