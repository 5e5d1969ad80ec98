// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: cgroups by their numbers
 *
 * A cgroup is identified by its number.  Numbers are never reused, so no reference
 * to the cgroup is held.
 */

#include <linux/cgroup.h>
#include <linux/kernfs.h>

#include "cgroup.h"
#include "compat.h"

#if LSMPMON_HAS_CGROUPS

static struct kernfs_node *lsmpmon_find_cgroup(u64 id)
{
	return kernfs_find_and_get_node_by_id(cgrp_dfl_root.kf_root, id);
}

/**
 * lsmpmon_cgroup_exists - test whether a cgroup exists
 * @id: number of the cgroup
 *
 * Context: process context.
 * Return: false after the directory of the cgroup was removed.
 */
bool lsmpmon_cgroup_exists(u64 id)
{
	struct kernfs_node *node = lsmpmon_find_cgroup(id);

	if (!node)
		return false;
	kernfs_put(node);
	return true;
}

/**
 * lsmpmon_cgroup_path - write the path of a cgroup from the root of the hierarchy
 * @id: number of the cgroup
 * @path: buffer for the path
 * @size: size of the buffer
 *
 * Context: process context.
 * Return: length of the path; 0 if it does not fit or the cgroup was removed.
 */
size_t lsmpmon_cgroup_path(u64 id, char *path, size_t size)
{
	struct kernfs_node *node = lsmpmon_find_cgroup(id);
	int length;

	if (!node)
		return 0;
	length = kernfs_path(node, path, size);
	kernfs_put(node);
	return length > 0 && length < size ? length : 0;
}

#else

bool lsmpmon_cgroup_exists(u64 id)
{
	return true;
}

size_t lsmpmon_cgroup_path(u64 id, char *path, size_t size)
{
	return 0;
}

#endif /* LSMPMON_HAS_CGROUPS */
