// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: cgroups by their numbers
 *
 * A cgroup is known by its number, which no other ever has, so nothing of a
 * removed one has to be kept.
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
 * lsmpmon_cgroup_exists - whether a cgroup has not been removed
 * @id: its number
 *
 * Context: process context.
 * Return: false from the moment on that its directory is gone.
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
 * lsmpmon_cgroup_path - the path of a cgroup from the root of the hierarchy
 * @id: its number
 * @path: where it goes
 * @size: how much of it
 *
 * Context: process context.
 * Return: its length; 0 if it does not fit or the cgroup was removed.
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
