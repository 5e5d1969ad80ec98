// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the objects of hook calls
 *
 * The objects of a hook call are those of its arguments that have a name.
 */

#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>

#include "compat.h"
#include "match.h"
#include "name.h"
#include "object.h"

struct lsmpmon_object __rcu *lsmpmon_object;

/**
 * lsmpmon_is_object - whether an argument of a hook call matches the filter
 * @kind: its kind
 * @argument: the argument
 * @length: length of an address; 0 for anything else
 *
 * Context: any; called before each hook call while the filter has an object.
 * Return: true if it matches, or if the filter has just been cleared.
 */
bool lsmpmon_is_object(enum lsmpmon_object_kind kind, const void *argument,
		       int length)
{
	const struct lsmpmon_object *object;
	bool matches = true;

	if (!argument || in_hardirq() || in_nmi())
		return false;
	rcu_read_lock();
	object = rcu_dereference(lsmpmon_object);
	if (object)
		matches = lsmpmon_has_name(object, kind, argument, length);
	rcu_read_unlock();
	return matches;
}

NOKPROBE_SYMBOL(lsmpmon_is_object);

/*
 * Fast path for the most frequent kinds of arguments.  They nearly always
 * differ from the object in the length or first letter of their names, which
 * are compared here without a lock.
 */

/* Length and first letter of the name; no length if it may be any. */
static struct {
	unsigned int length;
	char first;
} fast_path __read_mostly;

/**
 * lsmpmon_set_fast_path - set up the fast path for an object
 * @object: the object; NULL disables the fast path
 *
 * Context: under the lock of the filter.
 */
void lsmpmon_set_fast_path(const struct lsmpmon_object *object)
{
	/* The root of a file system matches the name of its mount point. */
	if (!object || !object->name.literal || object->is_mount_point) {
		WRITE_ONCE(fast_path.length, 0);
		return;
	}
	WRITE_ONCE(fast_path.first, *object->name.text);
	WRITE_ONCE(fast_path.length, strlen(object->name.text));
}

static __always_inline bool lsmpmon_may_be_dentry(const struct dentry *dentry)
{
	const unsigned int length = READ_ONCE(fast_path.length);
	bool may_match;

	if (!length)
		return true;
	/* Race: with rename(), as in lsmpmon_dentry_is(). */
	if (likely(data_race(dentry->d_name.len) != length))
		return false;
	/* An RCU read-side section, for the name, without a function call. */
	preempt_disable_notrace();
	/* Race: with rename() again. */
	may_match = data_race(*READ_ONCE(dentry->d_name.name)) ==
		    READ_ONCE(fast_path.first);
	preempt_enable_notrace();
	return may_match;
}

static __always_inline bool lsmpmon_may_be_inode(const struct inode *inode)
{
	const struct hlist_node *alias;
	bool may_match;

	/* An RCU read-side section, for the dentry, without a function call. */
	preempt_disable_notrace();
	alias = READ_ONCE(inode->i_dentry.first);
	may_match = alias && lsmpmon_has_names(inode) &&
	      (READ_ONCE(alias->next) || lsmpmon_may_be_dentry(lsmpmon_alias(alias)));
	preempt_enable_notrace();
	return may_match;
}

/* The root of a mount has the name of its mount point. */
static __always_inline bool lsmpmon_may_be_path(const struct path *path)
{
	/* A file that was never opened has no dentry. */
	return path->dentry && (path->dentry == path->mnt->mnt_root ||
				lsmpmon_may_be_dentry(path->dentry));
}

static __always_inline bool lsmpmon_may_be_file(const struct file *file)
{
	return lsmpmon_may_be_path(&file->f_path);
}

/**
 * lsmpmon_is_inode - lsmpmon_is_object() of an inode
 * @inode: or NULL
 *
 * Context: as lsmpmon_is_object().
 * Return: as lsmpmon_is_object().
 */
bool lsmpmon_is_inode(const struct inode *inode)
{
	return inode && lsmpmon_may_be_inode(inode) &&
	       lsmpmon_is_object(LSMPMON_OBJECT_inode, inode, 0);
}

NOKPROBE_SYMBOL(lsmpmon_is_inode);

/**
 * lsmpmon_is_dentry - lsmpmon_is_object() of a dentry
 * @dentry: or NULL
 *
 * Context: as lsmpmon_is_object().
 * Return: as lsmpmon_is_object().
 */
bool lsmpmon_is_dentry(const struct dentry *dentry)
{
	return dentry && lsmpmon_may_be_dentry(dentry) &&
	       lsmpmon_is_object(LSMPMON_OBJECT_dentry, dentry, 0);
}

NOKPROBE_SYMBOL(lsmpmon_is_dentry);

/**
 * lsmpmon_is_path - lsmpmon_is_object() of a path
 * @path: or NULL
 *
 * Context: as lsmpmon_is_object().
 * Return: as lsmpmon_is_object().
 */
bool lsmpmon_is_path(const struct path *path)
{
	return path && lsmpmon_may_be_path(path) &&
	       lsmpmon_is_object(LSMPMON_OBJECT_path, path, 0);
}

NOKPROBE_SYMBOL(lsmpmon_is_path);

/**
 * lsmpmon_is_file - lsmpmon_is_object() of a file
 * @file: or NULL
 *
 * Context: as lsmpmon_is_object().
 * Return: as lsmpmon_is_object().
 */
bool lsmpmon_is_file(const struct file *file)
{
	return file && lsmpmon_may_be_file(file) &&
	       lsmpmon_is_object(LSMPMON_OBJECT_file, file, 0);
}

NOKPROBE_SYMBOL(lsmpmon_is_file);

/*
 * The kinds of objects of each hook, for lsmmon/hooks.  Elsewhere the compiler
 * selects them by the types of arguments; here they are found in the text of
 * the declarations.
 */

static const char *const declarations[LSMPMON_HOOKS] = {
#define LSM_HOOK(RET, DEFAULT, NAME, ...) \
	[LSMPMON_HOOK_##NAME] = #__VA_ARGS__,
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
};

static const struct {
	const char *name;
	const char *type;
} object_types[] = {
#define LSMPMON_OBJECT_TYPE(_, KIND, TYPE)	{ #KIND, #TYPE },
	LSMPMON_OBJECT_TYPES(LSMPMON_OBJECT_TYPE)
#undef LSMPMON_OBJECT_TYPE
	{ "keyref", "key_ref_t " },
};

/* Index in object_types; the number of types if the argument is not an object. */
static size_t lsmpmon_type_of(const char *declaration)
{
	size_t i, length;

	if (!strncmp(declaration, "const ", 6))
		declaration += 6;
	for (i = 0; i < ARRAY_SIZE(object_types); i++) {
		length = strlen(object_types[i].type);
		/* Exactly one star. */
		if (!strncmp(declaration, object_types[i].type, length) &&
		    declaration[length] != '*')
			break;
	}
	return i;
}

/**
 * lsmpmon_object_kinds - list the kinds of objects of a hook
 * @hook: number of the hook
 * @kinds: buffer for the comma-separated list; empty if there are none
 * @size: size of the buffer
 *
 * Context: any.
 */
void lsmpmon_object_kinds(enum lsmpmon_hook hook, char *kinds, size_t size)
{
	const char *declaration = declarations[hook];
	unsigned long seen = 0;
	size_t type, length = 0;

	*kinds = '\0';
	if (LSMPMON_IS_LIFETIME(lsmpmon_hook_name(hook)))
		return;
	while (declaration) {
		type = lsmpmon_type_of(skip_spaces(declaration));
		declaration = strchr(declaration, ',');
		declaration = declaration ? declaration + 1 : NULL;
		if (type == ARRAY_SIZE(object_types) || seen & BIT(type))
			continue;
		seen |= BIT(type);
		length += scnprintf(kinds + length, size - length, "%s%s",
				    length ? "," : "", object_types[type].name);
	}
}
