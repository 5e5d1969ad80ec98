// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the object of the filter
 */

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "path.h"

/**
 * lsmpmon_split_path - split an absolute path into components
 * @path: the path; slashes after the first are replaced by zeroes
 *
 * Context: any.
 * Return: number of components.
 */
unsigned int lsmpmon_split_path(char *path)
{
	unsigned int depth = 1;

	for (path++; *path; path++) {
		if (*path != '/')
			continue;
		*path = '\0';
		depth++;
	}
	return depth;
}

/**
 * lsmpmon_path_matches - compare a path with the filter's object
 * @object: object of the filter, with a path
 * @path: absolute path; modified
 *
 * As in a shell, wildcards do not match slashes, so components are compared.
 *
 * Context: any.
 * Return: true if the path matches.
 */
bool lsmpmon_path_matches(const struct lsmpmon_object *object, char *path)
{
	const char *pattern = object->path + 1;
	unsigned int depth = lsmpmon_split_path(path);

	if (depth != object->depth)
		return false;
	for (path++; depth; depth--) {
		if (!glob_match(pattern, path))
			return false;
		pattern += strlen(pattern) + 1;
		path += strlen(path) + 1;
	}
	return true;
}

/*
 * Parsing.  Hooks that are given a mount compare with d_absolute_path(), others with
 * the path inside the file system, so both are stored.
 */

/* Move a path from the end of a buffer to its beginning; "/" becomes "". */
static int lsmpmon_store_text(char *buffer, const char *text)
{
	if (IS_ERR(text))
		return PTR_ERR(text);
	memmove(buffer, text, strlen(text) + 1);
	if (!strcmp(buffer, "/"))
		*buffer = '\0';
	return 0;
}

static int lsmpmon_set_place(struct lsmpmon_object *object, const struct path *dir)
{
	const struct path top = {
		.mnt = dir->mnt,
		.dentry = dir->mnt->mnt_root,
	};

	object->dev = dir->mnt->mnt_sb->s_dev;
	return lsmpmon_store_text(object->root,
				  dentry_path_raw(top.dentry, object->root, PATH_MAX)) ?:
		lsmpmon_store_text(object->mount_point,
				   d_absolute_path(&top, object->mount_point,
						   PATH_MAX)) ?:
		lsmpmon_store_text(object->path,
				   d_absolute_path(dir, object->path, PATH_MAX));
}

static bool lsmpmon_is_literal(const char *text)
{
	struct lsmpmon_pattern pattern;

	lsmpmon_set_pattern(&pattern, text);
	return pattern.literal;
}

/*
 * Resolve the longest prefix of a path that is a directory without wildcards.  The
 * rest is compared as written.  A link as the last component is not followed.
 */
static int lsmpmon_find_directory(struct lsmpmon_object *object, char *prefix)
{
	unsigned int flags = LOOKUP_DIRECTORY;
	struct path dir;
	int err = -ENOENT;

	for (;;) {
		if (lsmpmon_is_literal(prefix))
			err = kern_path(*prefix ? prefix : "/", flags, &dir);
		if (!err || !*prefix)
			break;
		*strrchr(prefix, '/') = '\0';
		flags |= LOOKUP_FOLLOW;
	}
	if (err)
		return err;
	err = lsmpmon_set_place(object, &dir);
	path_put(&dir);
	return err;
}

static int lsmpmon_find_place(struct lsmpmon_object *object)
{
	char *prefix = kstrdup(object->text, GFP_KERNEL);
	int err;

	if (!prefix)
		return -ENOMEM;
	err = lsmpmon_find_directory(object, prefix);
	strlcat(object->path, object->text + strlen(prefix),
		sizeof(object->path));
	kfree(prefix);
	if (!*object->path)
		strscpy(object->path, "/", sizeof(object->path));
	object->is_mount_point = !*object->root &&
		!strcmp(object->path + !object->path[1], object->mount_point);
	return err;
}

static int lsmpmon_set_path(struct lsmpmon_object *object)
{
	const size_t length = strlen(object->text);
	int err;

	if (*object->text != '/' || strstr(object->text, "//") ||
	    (length > 1 && object->text[length - 1] == '/'))
		return -EINVAL;
	err = lsmpmon_find_place(object);
	if (err)
		return err;
	lsmpmon_set_pattern(&object->name, strrchr(object->path, '/') + 1);
	object->depth = lsmpmon_split_path(object->path);
	return 0;
}

/**
 * lsmpmon_parse_object - parse the name of an object
 * @name: pattern of the last component; with slashes, of the absolute path
 *
 * Context: process context, may sleep.
 * Return: the object, to be freed with kvfree(); -EINVAL for a name that no object
 *	can have, -ENOMEM, or the error of looking up the root directory.
 */
struct lsmpmon_object *lsmpmon_parse_object(const char *name)
{
	struct lsmpmon_object *object;
	int err = 0;

	if (strlen(name) >= sizeof(object->text))
		return ERR_PTR(-EINVAL);
	object = kvzalloc(sizeof(*object), GFP_KERNEL);
	if (!object)
		return ERR_PTR(-ENOMEM);
	strscpy(object->text, name, sizeof(object->text));
	if (strchr(name, '/'))
		err = lsmpmon_set_path(object);
	else
		lsmpmon_set_pattern(&object->name, object->text);
	if (!err)
		return object;
	kvfree(object);
	return ERR_PTR(err);
}
