/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: objects that the filter looks for
 */

#ifndef _SECURITY_LSMPMON_PATH_H
#define _SECURITY_LSMPMON_PATH_H

#include <linux/limits.h>
#include <linux/types.h>

#include "pattern.h"

/**
 * struct lsmpmon_object - the objects on which calls are measured
 * @name: pattern of the last component of their names
 * @depth: components of @path; 0: only the name counts
 * @is_mount_point: it is where @dev's file system is mounted
 * @dev: the file system on which the path begins
 * @text: as it was written
 * @root: the directory of that file system which is mounted; empty for its own
 * @mount_point: where that is; empty for the root
 * @path: the whole path, links to its directories resolved, in components as
 *	lsmpmon_split_path() makes them
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
