// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: names of objects
 *
 * An object with a dentry has the name of the dentry; other objects have a name of
 * their own, such as the description of a key or the address of a socket.
 *
 * This code does not sleep or call hooks.  Names that need locks are not compared
 * in interrupts and with interrupts off.
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
#include <linux/net.h>
#include <linux/rcupdate.h>
#include <net/af_unix.h>
#include <net/inet_sock.h>

#include "compat.h"
#include "name.h"
#include "path.h"
#include "pattern.h"
#include "store.h"

/* Protects the name buffer of a CPU. */
static DEFINE_PER_CPU(local_lock_t, name_lock) = INIT_LOCAL_LOCK(name_lock);

/* Objects with a dentry. */

static bool lsmpmon_may_lock(void)
{
	/* On PREEMPT_RT, spinlocks sleep. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && !preemptible())
		return false;
	return in_task() && !irqs_disabled();
}

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

static bool lsmpmon_path_is(const struct lsmpmon_object *object, const struct path *path)
{
	return path && lsmpmon_dentry_is(object, path->dentry, path->mnt);
}

static bool lsmpmon_file_is(const struct lsmpmon_object *object, const struct file *file)
{
	return file && lsmpmon_path_is(object, &file->f_path);
}

/* An inode with several names is compared by one of them. */
static bool lsmpmon_inode_is(const struct lsmpmon_object *object,
			     const struct inode *inode)
{
	if (!inode || !lsmpmon_has_names(inode) || !lsmpmon_may_lock())
		return false;
	return lsmpmon_dentry_is(object, d_find_alias_rcu((struct inode *)inode), NULL);
}

/* Objects with a name of their own. */

static bool lsmpmon_text_is(const struct lsmpmon_object *object, const char *text)
{
	return text && !object->depth &&
	       lsmpmon_pattern_matches(&object->name, text);
}

/* Compare the last component of a name that may be a path. */
static bool lsmpmon_path_text_is(const struct lsmpmon_object *object, const char *text)
{
	return text && lsmpmon_text_is(object, kbasename(text));
}

static bool lsmpmon_inet_is(const struct lsmpmon_object *object,
			    const struct sockaddr *address)
{
	char text[64];

	snprintf(text, sizeof(text), "%pISpc", address);
	return lsmpmon_text_is(object, text);
}

static bool lsmpmon_sockaddr_is(const struct lsmpmon_object *object,
				const struct sockaddr *address, int length)
{
	if (!address || length < (int)sizeof(struct sockaddr_in))
		return false;
	if (address->sa_family == AF_INET6)
		return length >= (int)sizeof(struct sockaddr_in6) &&
		       lsmpmon_inet_is(object, address);
	return address->sa_family == AF_INET && lsmpmon_inet_is(object, address);
}

/* Compare the name that a socket is bound to; abstract names begin with @. */
static bool lsmpmon_unix_is(const struct lsmpmon_object *object, const struct sock *sk)
{
	const struct unix_address *address;
	char name[UNIX_PATH_MAX + 1];
	size_t length;

	/* Pairs with smp_store_release() in af_unix.c. */
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
	return *name && lsmpmon_path_text_is(object, name);
}

static bool lsmpmon_sock6_is(const struct lsmpmon_object *object, const struct sock *sk)
{
#if IS_ENABLED(CONFIG_IPV6)
	struct sockaddr_in6 ip = {
		.sin6_family = AF_INET6,
		.sin6_port = inet_sk(sk)->inet_sport,
		.sin6_addr = sk->sk_v6_rcv_saddr,
	};

	return lsmpmon_inet_is(object, (struct sockaddr *)&ip);
#else
	return false;
#endif
}

static bool lsmpmon_sock_is(const struct lsmpmon_object *object, const struct sock *sk)
{
	struct sockaddr_in ip = { .sin_family = AF_INET };

	if (!sk || !sk_fullsock(sk))
		return false;
	switch (sk->sk_family) {
	case AF_UNIX:
		return lsmpmon_unix_is(object, sk);
	case AF_INET:
		ip.sin_port = inet_sk(sk)->inet_sport;
		ip.sin_addr.s_addr = sk->sk_rcv_saddr;
		return lsmpmon_inet_is(object, (struct sockaddr *)&ip);
	case AF_INET6:
		return lsmpmon_sock6_is(object, sk);
	default:
		return false;
	}
}

static bool lsmpmon_ipc_is(const struct lsmpmon_object *object,
			   const struct kern_ipc_perm *ipc)
{
	char text[16];

	snprintf(text, sizeof(text), "0x%08x", (unsigned int)ipc->key);
	return lsmpmon_text_is(object, text);
}

static bool lsmpmon_key_is(const struct lsmpmon_object *object, const struct key *key)
{
#ifdef CONFIG_KEYS
	return lsmpmon_text_is(object, key->description);
#else
	return false;
#endif
}

static bool lsmpmon_named_is(const struct lsmpmon_object *object,
			     enum lsmpmon_object_kind kind, const void *argument,
			     int length)
{
	switch (kind) {
	case LSMPMON_OBJECT_superblock:
		return lsmpmon_text_is(object, ((const struct super_block *)argument)->s_id);
	case LSMPMON_OBJECT_fs_context:
		return lsmpmon_path_text_is(object, ((const struct fs_context *)argument)->source);
	case LSMPMON_OBJECT_name:
		return lsmpmon_text_is(object, ((const struct qstr *)argument)->name);
	case LSMPMON_OBJECT_kernfs:
		return lsmpmon_text_is(object, lsmpmon_kernfs_name(argument));
	case LSMPMON_OBJECT_socket:
		return lsmpmon_sock_is(object, ((const struct socket *)argument)->sk);
	case LSMPMON_OBJECT_sock:
		return lsmpmon_sock_is(object, argument);
	case LSMPMON_OBJECT_sockaddr:
		return lsmpmon_sockaddr_is(object, argument, length);
	case LSMPMON_OBJECT_task:
		return lsmpmon_text_is(object, ((const struct task_struct *)argument)->comm);
	case LSMPMON_OBJECT_ipc:
		return lsmpmon_ipc_is(object, argument);
	case LSMPMON_OBJECT_key:
		return lsmpmon_key_is(object, argument);
	case LSMPMON_OBJECT_keyref:
		return lsmpmon_key_is(object, key_ref_to_ptr((key_ref_t)argument));
	default:
		return false;
	}
}

/**
 * lsmpmon_has_name - test whether an argument has the name of the filter's object
 * @object: object of the filter
 * @kind: kind of the argument
 * @argument: argument of a hook call
 * @length: length of an address; 0 for other kinds
 *
 * Context: any but hardirq and NMI, under RCU.
 * Return: true if the name or path matches.
 */
bool lsmpmon_has_name(const struct lsmpmon_object *object,
		      enum lsmpmon_object_kind kind, const void *argument,
		      int length)
{
	const struct vfsmount *mnt = argument;

	switch (kind) {
	case LSMPMON_OBJECT_inode:
		return lsmpmon_inode_is(object, argument);
	case LSMPMON_OBJECT_path:
		return lsmpmon_path_is(object, argument);
	case LSMPMON_OBJECT_dentry:
		return lsmpmon_dentry_is(object, argument, NULL);
	case LSMPMON_OBJECT_file:
		return lsmpmon_file_is(object, argument);
	case LSMPMON_OBJECT_binprm:
		return lsmpmon_file_is(object, ((const struct linux_binprm *)argument)->file);
	case LSMPMON_OBJECT_vma:
		return lsmpmon_file_is(object, ((const struct vm_area_struct *)argument)->vm_file);
	case LSMPMON_OBJECT_mount:
		return lsmpmon_dentry_is(object, mnt->mnt_root, mnt);
	default:
		return lsmpmon_named_is(object, kind, argument, length);
	}
}
