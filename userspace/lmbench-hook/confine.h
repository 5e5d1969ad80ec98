/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_CONFINE_H
#define LMBENCH_HOOK_CONFINE_H

int confine_beneath(const char *dir);

#endif
