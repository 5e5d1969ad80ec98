/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: cgroups by their numbers
 */

#ifndef _SECURITY_LSMPMON_CGROUP_H
#define _SECURITY_LSMPMON_CGROUP_H

#include <linux/types.h>

bool lsmpmon_cgroup_exists(u64 id);
size_t lsmpmon_cgroup_path(u64 id, char *path, size_t size);

#endif /* _SECURITY_LSMPMON_CGROUP_H */
