/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the object of the filter
 */

#ifndef _SECURITY_LSMPMON_PATH_H
#define _SECURITY_LSMPMON_PATH_H

#include <linux/limits.h>
#include <linux/types.h>

#include "pattern.h"

/**
 * struct lsmpmon_object - object of the filter
 * @name: pattern of the last component of the name
 * @depth: number of components of @path; 0 if only @name is compared
 * @is_mount_point: whether @path is the mount point of the file system @dev
 * @dev: file system of the directory in which the lookup ended
 * @text: the name as it was written
 * @root: mounted directory of that file system; empty for its root
 * @mount_point: absolute path of the mount point; empty for the root directory
 * @path: absolute path with links to directories resolved, split by
 *	lsmpmon_split_path()
 */
struct lsmpmon_object {
	struct lsmpmon_pattern name;
	unsigned int depth;
	bool is_mount_point;
	dev_t dev;
	char text[PATH_MAX];
	char root[PATH_MAX];
	char mount_point[PATH_MAX];
	char path[2 * PATH_MAX];
};

unsigned int lsmpmon_split_path(char *path);
bool lsmpmon_path_matches(const struct lsmpmon_object *object, char *path);
struct lsmpmon_object *lsmpmon_parse_object(const char *name);

#endif /* _SECURITY_LSMPMON_PATH_H */
