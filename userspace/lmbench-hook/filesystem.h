/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_FILESYSTEM_H
#define LMBENCH_HOOK_FILESYSTEM_H

const char *filesystem_name(int fd);

#endif
