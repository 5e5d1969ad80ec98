/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_COMPARE_H
#define LMBENCH_HOOK_COMPARE_H

/* Returns the exit status: 0; 1 if one file lacks a row of the other; 2 if a file is not a result. */
int compare(const char *before, const char *after);

#endif
