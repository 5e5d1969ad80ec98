// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: comparing objects with that of the filter
 *
 * This code does not sleep or call hooks.  Paths need locks, and are not compared in
 * interrupts and with interrupts off.
 */

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/local_lock.h>
#include <linux/mount.h>

#include "match.h"
#include "name.h"
#include "path.h"
#include "pattern.h"
#include "store.h"

/* Protects the name buffer of a CPU. */
static DEFINE_PER_CPU(local_lock_t, name_lock) = INIT_LOCAL_LOCK(name_lock);

/* Path of a dentry without a mount, as if it were on the mount of the filter's object. */
static char *lsmpmon_path_on_mount(const struct lsmpmon_object *object,
				   const struct dentry *dentry, char *buffer)
{
	const size_t root = strlen(object->root);
	const size_t mount_point = strlen(object->mount_point);
	char *path;

	if (dentry->d_sb->s_dev != object->dev)
		return ERR_PTR(-EXDEV);
	path = dentry_path_raw(dentry, buffer, LSMPMON_NAME_SIZE);
	if (IS_ERR(path))
		return path;
	if (strncmp(path, object->root, root) || (path[root] && path[root] != '/'))
		return ERR_PTR(-EXDEV);
	path += root;
	if (mount_point && !strcmp(path, "/"))
		path++;
	if (path - mount_point < buffer)
		return ERR_PTR(-ENAMETOOLONG);
	path -= mount_point;
	memcpy(path, object->mount_point, mount_point);
	return path;
}

static bool lsmpmon_dentry_path_is(const struct lsmpmon_object *object,
				   const struct dentry *dentry,
				   const struct vfsmount *mnt)
{
	const struct path path = {
		.mnt = (struct vfsmount *)mnt,
		.dentry = (struct dentry *)dentry,
	};
	bool matches = false;
	char *buffer, *text;

	local_lock(&name_lock);
	buffer = this_cpu_read(lsmpmon_cpu.name);
	if (mnt)
		text = d_absolute_path(&path, buffer, LSMPMON_NAME_SIZE);
	else
		text = lsmpmon_path_on_mount(object, dentry, buffer);
	if (!IS_ERR(text))
		matches = lsmpmon_path_matches(object, text);
	local_unlock(&name_lock);
	return matches;
}

/*
 * Compare the last component first, which rarely matches.  The root of a file system
 * has none, and is known by the name of its mount point.
 */
static bool lsmpmon_dentry_is(const struct lsmpmon_object *object,
			      const struct dentry *dentry, const struct vfsmount *mnt)
{
	if (!dentry)
		return false;
	if (IS_ROOT(dentry) && !mnt)
		return object->is_mount_point &&
		       dentry->d_sb->s_dev == object->dev;
	if (!(mnt && dentry == mnt->mnt_root)) {
		const char *name = READ_ONCE(dentry->d_name.name);

		/* Race with rename(), like any reader without a lock. */
		if (!data_race(lsmpmon_pattern_matches(&object->name, name)))
			return false;
		if (!object->depth)
			return true;
	}
	return object->depth && lsmpmon_may_lock() &&
	       lsmpmon_dentry_path_is(object, dentry, mnt);
}

/* Compare a name that is in the object, or in @buffer.  Only sockets have whole paths. */
static bool lsmpmon_text_is(const struct lsmpmon_object *object,
			    enum lsmpmon_object_kind kind, const char *text,
			    char *buffer)
{
	if (object->depth)
		return text == buffer && *text == '/' &&
		       lsmpmon_path_matches(object, buffer);
	return lsmpmon_pattern_matches(&object->name,
				       lsmpmon_last_component(kind, text));
}

/**
 * lsmpmon_has_name - test whether an argument has the name of the filter's object
 * @object: object of the filter
 * @kind: kind of the argument
 * @argument: argument of a hook call; not NULL
 * @length: length of an address; 0 for other kinds
 *
 * Context: any but hardirq and NMI, under RCU.
 * Return: true if the name or path matches.
 */
bool lsmpmon_has_name(const struct lsmpmon_object *object,
		      enum lsmpmon_object_kind kind, const void *argument,
		      int length)
{
	char buffer[LSMPMON_TEXT_SIZE];
	struct path path;
	const char *text;

	if (lsmpmon_path_of(kind, argument, &path))
		return lsmpmon_dentry_is(object, path.dentry, path.mnt);
	text = lsmpmon_text_of(kind, argument, length, buffer);
	return text && lsmpmon_text_is(object, kind, text, buffer);
}
