/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_COMPARE_H
#define LMBENCH_HOOK_COMPARE_H

int compare(const char *before, const char *after);

#endif
