/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_COMPARE_H
#define LMBENCH_HOOK_COMPARE_H

/* The exit status: 0; 1: something is not in both files; 2: one of them is no result. */
int compare(const char *before, const char *after);

#endif
