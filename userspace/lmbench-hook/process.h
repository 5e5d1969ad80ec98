/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_PROCESS_H
#define LMBENCH_HOOK_PROCESS_H

#include <stdbool.h>

/* An internal verb for task/exec: the program ends at once. */
#define PROCESS_EXIT "exit"

void process_begin(void);
bool process_exits(char **argv);

#endif
