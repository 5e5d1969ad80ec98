// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: names of objects
 *
 * The object of a hook call is any argument that has a name.  Arguments with a
 * dentry have its name; others have a single name, such as a key's description
 * or a socket's address.
 *
 * Nothing here waits or calls hooks.  If reading a name takes a lock, it is
 * not read in interrupts or with interrupts off.
 */

#include <linux/binfmts.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/ipc.h>
#include <linux/kernfs.h>
#include <linux/key.h>
#include <linux/kprobes.h>
#include <linux/local_lock.h>
#include <linux/mm_types.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/net.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <net/af_unix.h>
#include <net/inet_sock.h>

#include "compat.h"
#include "filter.h"
#include "store.h"

/* Protects a CPU's buffer for names. */
static DEFINE_PER_CPU(local_lock_t, name_lock) = INIT_LOCAL_LOCK(name_lock);

/**
 * lsmpmon_split_path - split an absolute path into components
 * @path: modified: all slashes but the first become zeroes
 *
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
 * lsmpmon_path_matches - match a path against an object's pattern
 * @object: the object
 * @path: an absolute path; modified
 *
 * As in a shell, wildcards do not match slashes: paths are compared component
 * by component.
 *
 * Return: true if it matches.
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
 * Parsing.  An object's path is compared with d_absolute_path() if the hook
 * gets a mount, and otherwise with the path inside the file system.
 */

/* Move a path at the end of @buffer to its beginning; "/" becomes "". */
static int keep_text(char *buffer, const char *text)
{
	if (IS_ERR(text))
		return PTR_ERR(text);
	memmove(buffer, text, strlen(text) + 1);
	if (!strcmp(buffer, "/"))
		*buffer = '\0';
	return 0;
}

static int set_place(struct lsmpmon_object *object, const struct path *dir)
{
	const struct path top = {
		.mnt = dir->mnt,
		.dentry = dir->mnt->mnt_root,
	};

	object->dev = dir->mnt->mnt_sb->s_dev;
	return keep_text(object->root,
			 dentry_path_raw(top.dentry, object->root, PATH_MAX)) ?:
		keep_text(object->mount_point,
			  d_absolute_path(&top, object->mount_point,
					  PATH_MAX)) ?:
		keep_text(object->path,
			  d_absolute_path(dir, object->path, PATH_MAX));
}

static bool is_literal(const char *text)
{
	struct lsmpmon_pattern pattern;

	lsmpmon_set_pattern(&pattern, text);
	return pattern.literal;
}

/*
 * Find the longest prefix of the path that is a directory and contains no
 * wildcard; the rest stays in @object->text as written.  If the last component
 * is a symbolic link, the link itself is the object.
 */
static int find_directory(struct lsmpmon_object *object, char *prefix)
{
	unsigned int flags = LOOKUP_DIRECTORY;
	struct path dir;
	int err = -ENOENT;

	for (;;) {
		if (is_literal(prefix))
			err = kern_path(*prefix ? prefix : "/", flags, &dir);
		if (!err || !*prefix)
			break;
		*strrchr(prefix, '/') = '\0';
		flags |= LOOKUP_FOLLOW;
	}
	if (err)
		return err;
	err = set_place(object, &dir);
	path_put(&dir);
	return err;
}

static int find_place(struct lsmpmon_object *object)
{
	char *prefix = kstrdup(object->text, GFP_KERNEL);
	int err;

	if (!prefix)
		return -ENOMEM;
	err = find_directory(object, prefix);
	strlcat(object->path, object->text + strlen(prefix),
		sizeof(object->path));
	kfree(prefix);
	if (!*object->path)
		strscpy(object->path, "/", sizeof(object->path));
	object->is_mount_point = !*object->root &&
		!strcmp(object->path + !object->path[1], object->mount_point);
	return err;
}

static int set_path(struct lsmpmon_object *object)
{
	const size_t length = strlen(object->text);
	int err;

	if (*object->text != '/' || strstr(object->text, "//") ||
	    (length > 1 && object->text[length - 1] == '/'))
		return -EINVAL;
	err = find_place(object);
	if (err)
		return err;
	lsmpmon_set_pattern(&object->name, strrchr(object->path, '/') + 1);
	object->depth = lsmpmon_split_path(object->path);
	return 0;
}

/**
 * lsmpmon_parse_object - parse a pattern of object names
 * @name: pattern of the last component or, with slashes, of the absolute path
 *
 * Context: process context, may sleep.
 * Return: the object, to be freed with kvfree(); -EINVAL for a name that no
 *	object can have, -ENOMEM, or an error of the root directory.
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
		err = set_path(object);
	else
		lsmpmon_set_pattern(&object->name, object->text);
	if (!err)
		return object;
	kvfree(object);
	return ERR_PTR(err);
}

/* Objects with a dentry. */

static bool may_lock(void)
{
	return in_task() && !irqs_disabled();
}

/* The path of a dentry without a mount, if its file system is the right one. */
static char *path_on_mount(const struct lsmpmon_object *object,
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

static bool dentry_path_is(const struct lsmpmon_object *object,
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
		text = path_on_mount(object, dentry, buffer);
	if (!IS_ERR(text))
		matches = lsmpmon_path_matches(object, text);
	local_unlock(&name_lock);
	return matches;
}

/*
 * Compares the last component first, since few match.  The root of a file
 * system has no name; it matches the name of its mount point.
 */
static bool dentry_is(const struct lsmpmon_object *object,
		      const struct dentry *dentry, const struct vfsmount *mnt)
{
	if (!dentry)
		return false;
	if (IS_ROOT(dentry) && !mnt)
		return object->is_mount_point &&
		       dentry->d_sb->s_dev == object->dev;
	if (!(mnt && dentry == mnt->mnt_root)) {
		const char *name = READ_ONCE(dentry->d_name.name);

		/* Races with rename(), like every lockless reader. */
		if (!data_race(lsmpmon_pattern_matches(&object->name, name)))
			return false;
		if (!object->depth)
			return true;
	}
	return object->depth && may_lock() &&
	       dentry_path_is(object, dentry, mnt);
}

static bool path_is(const struct lsmpmon_object *object, const struct path *path)
{
	return path && dentry_is(object, path->dentry, path->mnt);
}

static bool file_is(const struct lsmpmon_object *object, const struct file *file)
{
	return file && path_is(object, &file->f_path);
}

/* Files of kernel-internal mounts have no names. */
static bool has_names(const struct inode *inode)
{
	return !(inode->i_sb->s_flags & (SB_NOUSER | SB_KERNMOUNT));
}

/* An inode with several names is known by one of them. */
static bool inode_is(const struct lsmpmon_object *object,
		     const struct inode *inode)
{
	if (!inode || !has_names(inode) || !may_lock())
		return false;
	return dentry_is(object, d_find_alias_rcu((struct inode *)inode), NULL);
}

/* Objects with a name of their own. */

static bool text_is(const struct lsmpmon_object *object, const char *text)
{
	return text && !object->depth &&
	       lsmpmon_pattern_matches(&object->name, text);
}

/* Compares the last component if the text is a path. */
static bool path_text_is(const struct lsmpmon_object *object, const char *text)
{
	return text && text_is(object, kbasename(text));
}

static bool inet_is(const struct lsmpmon_object *object,
		    const struct sockaddr *address)
{
	char text[64];

	snprintf(text, sizeof(text), "%pISpc", address);
	return text_is(object, text);
}

static bool sockaddr_is(const struct lsmpmon_object *object,
			const struct sockaddr *address, int length)
{
	if (!address || length < (int)sizeof(struct sockaddr_in))
		return false;
	if (address->sa_family == AF_INET6)
		return length >= (int)sizeof(struct sockaddr_in6) &&
		       inet_is(object, address);
	return address->sa_family == AF_INET && inet_is(object, address);
}

/* The name a socket is bound to; abstract names begin with @. */
static bool unix_is(const struct lsmpmon_object *object, const struct sock *sk)
{
	const struct unix_address *address;
	char name[UNIX_PATH_MAX + 1];
	size_t length;

	/* Pairs with the release in af_unix.c that publishes the address. */
	address = smp_load_acquire(&unix_sk(sk)->addr);
	if (!address)
		return false;
	length = address->len - offsetof(struct sockaddr_un, sun_path);
	length = min(length, UNIX_PATH_MAX);
	memcpy(name, address->name->sun_path, length);
	name[length] = '\0';
	if (object->depth)
		return *name == '/' && lsmpmon_path_matches(object, name);
	if (length && !*name)
		*name = '@';
	return *name && path_text_is(object, name);
}

static bool sock6_is(const struct lsmpmon_object *object, const struct sock *sk)
{
#if IS_ENABLED(CONFIG_IPV6)
	struct sockaddr_in6 ip = {
		.sin6_family = AF_INET6,
		.sin6_port = inet_sk(sk)->inet_sport,
		.sin6_addr = sk->sk_v6_rcv_saddr,
	};

	return inet_is(object, (struct sockaddr *)&ip);
#else
	return false;
#endif
}

static bool sock_is(const struct lsmpmon_object *object, const struct sock *sk)
{
	struct sockaddr_in ip = { .sin_family = AF_INET };

	if (!sk || !sk_fullsock(sk))
		return false;
	switch (sk->sk_family) {
	case AF_UNIX:
		return unix_is(object, sk);
	case AF_INET:
		ip.sin_port = inet_sk(sk)->inet_sport;
		ip.sin_addr.s_addr = sk->sk_rcv_saddr;
		return inet_is(object, (struct sockaddr *)&ip);
	case AF_INET6:
		return sock6_is(object, sk);
	default:
		return false;
	}
}

static bool ipc_is(const struct lsmpmon_object *object,
		   const struct kern_ipc_perm *ipc)
{
	char text[16];

	snprintf(text, sizeof(text), "0x%08x", (unsigned int)ipc->key);
	return text_is(object, text);
}

static bool key_is(const struct lsmpmon_object *object, const struct key *key)
{
#ifdef CONFIG_KEYS
	return text_is(object, key->description);
#else
	return false;
#endif
}

static bool named_is(const struct lsmpmon_object *object,
		     enum lsmpmon_object_kind kind, const void *argument,
		     int length)
{
	switch (kind) {
	case LSMPMON_OBJECT_superblock:
		return text_is(object, ((const struct super_block *)argument)->s_id);
	case LSMPMON_OBJECT_fs_context:
		return path_text_is(object, ((const struct fs_context *)argument)->source);
	case LSMPMON_OBJECT_name:
		return text_is(object, ((const struct qstr *)argument)->name);
	case LSMPMON_OBJECT_kernfs:
		return text_is(object, lsmpmon_kernfs_name(argument));
	case LSMPMON_OBJECT_socket:
		return sock_is(object, ((const struct socket *)argument)->sk);
	case LSMPMON_OBJECT_sock:
		return sock_is(object, argument);
	case LSMPMON_OBJECT_sockaddr:
		return sockaddr_is(object, argument, length);
	case LSMPMON_OBJECT_task:
		return text_is(object, ((const struct task_struct *)argument)->comm);
	case LSMPMON_OBJECT_ipc:
		return ipc_is(object, argument);
	case LSMPMON_OBJECT_key:
		return key_is(object, argument);
	case LSMPMON_OBJECT_keyref:
		return key_is(object, key_ref_to_ptr((key_ref_t)argument));
	default:
		return false;
	}
}

static bool is_object(const struct lsmpmon_object *object,
		      enum lsmpmon_object_kind kind, const void *argument,
		      int length)
{
	const struct vfsmount *mnt = argument;

	switch (kind) {
	case LSMPMON_OBJECT_inode:
		return inode_is(object, argument);
	case LSMPMON_OBJECT_path:
		return path_is(object, argument);
	case LSMPMON_OBJECT_dentry:
		return dentry_is(object, argument, NULL);
	case LSMPMON_OBJECT_file:
		return file_is(object, argument);
	case LSMPMON_OBJECT_binprm:
		return file_is(object, ((const struct linux_binprm *)argument)->file);
	case LSMPMON_OBJECT_vma:
		return file_is(object, ((const struct vm_area_struct *)argument)->vm_file);
	case LSMPMON_OBJECT_mount:
		return dentry_is(object, mnt->mnt_root, mnt);
	default:
		return named_is(object, kind, argument, length);
	}
}

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
	bool is = true;

	if (!argument || in_hardirq() || in_nmi())
		return false;
	rcu_read_lock();
	object = rcu_dereference(lsmpmon_object);
	if (object)
		is = is_object(object, kind, argument, length);
	rcu_read_unlock();
	return is;
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
} wanted __read_mostly;

/**
 * lsmpmon_look_for - set up the fast path for an object
 * @object: the object; NULL disables the fast path
 *
 * Context: under the lock of the filter.
 */
void lsmpmon_look_for(const struct lsmpmon_object *object)
{
	/* The root of a file system matches the name of its mount point. */
	if (!object || !object->name.literal || object->is_mount_point) {
		WRITE_ONCE(wanted.length, 0);
		return;
	}
	WRITE_ONCE(wanted.first, *object->name.text);
	WRITE_ONCE(wanted.length, strlen(object->name.text));
}

static __always_inline bool may_be_dentry(const struct dentry *dentry)
{
	const unsigned int length = READ_ONCE(wanted.length);
	bool may;

	if (!length)
		return true;
	/* An RCU read-side section, for the name, without a function call. */
	preempt_disable_notrace();
	/* Races with rename(), as in dentry_is(). */
	may = data_race(dentry->d_name.len == length &&
			*READ_ONCE(dentry->d_name.name) == READ_ONCE(wanted.first));
	preempt_enable_notrace();
	return may;
}

static __always_inline bool may_be_inode(const struct inode *inode)
{
	const struct hlist_node *alias;
	bool may;

	/* An RCU read-side section, for the dentry, without a function call. */
	preempt_disable_notrace();
	alias = READ_ONCE(inode->i_dentry.first);
	may = alias && has_names(inode) &&
	      (READ_ONCE(alias->next) || may_be_dentry(lsmpmon_alias(alias)));
	preempt_enable_notrace();
	return may;
}

/* The root of a mount has the name of its mount point. */
static __always_inline bool may_be_path(const struct path *path)
{
	/* A file that was never opened has no dentry. */
	return path->dentry && (path->dentry == path->mnt->mnt_root ||
				may_be_dentry(path->dentry));
}

static __always_inline bool may_be_file(const struct file *file)
{
	return may_be_path(&file->f_path);
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
	return inode && may_be_inode(inode) &&
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
	return dentry && may_be_dentry(dentry) &&
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
	return path && may_be_path(path) &&
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
	return file && may_be_file(file) &&
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

/* Index into object_types; ARRAY_SIZE(object_types) if there is no match. */
static size_t type_of(const char *declaration)
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
 * @hook: which
 * @kinds: buffer for the comma-separated list; empty if there are none
 * @size: its size
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
		type = type_of(skip_spaces(declaration));
		declaration = strchr(declaration, ',');
		declaration = declaration ? declaration + 1 : NULL;
		if (type == ARRAY_SIZE(object_types) || seen & BIT(type))
			continue;
		seen |= BIT(type);
		length += scnprintf(kinds + length, size - length, "%s%s",
				    length ? "," : "", object_types[type].name);
	}
}
