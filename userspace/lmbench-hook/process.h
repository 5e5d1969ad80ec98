/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_PROCESS_H
#define LMBENCH_HOOK_PROCESS_H

#include <stdbool.h>

/* A verb that is for task/exec and no one else: the program ends at once. */
#define PROCESS_EXIT "exit"

bool process_exits(char **argv);

#endif
