// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: names of objects
 *
 * An object with a dentry has the name of the dentry; other objects have a name of
 * their own, such as the description of a key or the address of a socket.
 *
 * This code does not sleep or call hooks.  Names that need locks are not read in
 * interrupts and with interrupts off.
 */

#include <linux/binfmts.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/ipc.h>
#include <linux/kernfs.h>
#include <linux/key.h>
#include <linux/mm_types.h>
#include <linux/mount.h>
#include <linux/net.h>
#include <linux/path.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <net/af_unix.h>
#include <net/inet_sock.h>

#include "compat.h"
#include "name.h"

/**
 * lsmpmon_may_lock - test whether names may be read that need locks
 *
 * Context: any.
 * Return: true if spinlocks may be taken that others take with interrupts on.
 */
bool lsmpmon_may_lock(void)
{
	/* On PREEMPT_RT, spinlocks sleep. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && !preemptible())
		return false;
	return in_task() && !irqs_disabled();
}

/* Objects with a dentry. */

/* One of the dentries of an inode; NULL if it has none, or if locks may not be taken. */
static struct dentry *lsmpmon_dentry_of(const struct inode *inode)
{
	if (!lsmpmon_has_names(inode) || !lsmpmon_may_lock())
		return NULL;
	return d_find_alias_rcu((struct inode *)inode);
}

static struct path lsmpmon_path_of_file(const struct file *file)
{
	return file ? file->f_path : (struct path){ };
}

/**
 * lsmpmon_path_of - find the dentry that names an object
 * @kind: kind of the object
 * @object: the object; not NULL
 * @path: set to the dentry and its mount, of which each is NULL if it is not known
 *
 * Context: any but hardirq and NMI, under RCU, which protects the dentry.
 * Return: true if a dentry names objects of this kind; false if @path has no meaning.
 */
bool lsmpmon_path_of(enum lsmpmon_object_kind kind, const void *object,
		     struct path *path)
{
	*path = (struct path){ };
	switch (kind) {
	case LSMPMON_OBJECT_inode:
		path->dentry = lsmpmon_dentry_of(object);
		return true;
	case LSMPMON_OBJECT_dentry:
		path->dentry = (struct dentry *)object;
		return true;
	case LSMPMON_OBJECT_path:
		*path = *(const struct path *)object;
		return true;
	case LSMPMON_OBJECT_file:
		*path = lsmpmon_path_of_file(object);
		return true;
	case LSMPMON_OBJECT_binprm:
		*path = lsmpmon_path_of_file(((const struct linux_binprm *)object)->file);
		return true;
	case LSMPMON_OBJECT_vma:
		*path = lsmpmon_path_of_file(((const struct vm_area_struct *)object)->vm_file);
		return true;
	case LSMPMON_OBJECT_mount:
		path->mnt = (struct vfsmount *)object;
		path->dentry = path->mnt->mnt_root;
		return true;
	default:
		return false;
	}
}

/* Objects with a name of their own. */

static const char *lsmpmon_inet_text(const struct sockaddr *address, char *buffer)
{
	snprintf(buffer, LSMPMON_TEXT_SIZE, "%pISpc", address);
	return buffer;
}

static const char *lsmpmon_sockaddr_text(const struct sockaddr *address, int length,
					 char *buffer)
{
	size_t needed = sizeof(struct sockaddr_in);

	if (length < (int)needed)
		return NULL;
	if (address->sa_family == AF_INET6)
		needed = sizeof(struct sockaddr_in6);
	else if (address->sa_family != AF_INET)
		return NULL;
	return length < (int)needed ? NULL : lsmpmon_inet_text(address, buffer);
}

/* The name that a socket is bound to; abstract names begin with @. */
static const char *lsmpmon_unix_text(const struct sock *sk, char *buffer)
{
	const struct unix_address *address;
	size_t length;

	BUILD_BUG_ON(LSMPMON_TEXT_SIZE <= UNIX_PATH_MAX);
	/* Pairs with smp_store_release() in af_unix.c. */
	address = smp_load_acquire(&unix_sk(sk)->addr);
	if (!address)
		return NULL;
	length = address->len - offsetof(struct sockaddr_un, sun_path);
	length = min_t(size_t, length, UNIX_PATH_MAX);
	memcpy(buffer, address->name->sun_path, length);
	buffer[length] = '\0';
	if (length && !*buffer)
		*buffer = '@';
	return *buffer ? buffer : NULL;
}

static const char *lsmpmon_sock6_text(const struct sock *sk, char *buffer)
{
#if IS_ENABLED(CONFIG_IPV6)
	struct sockaddr_in6 ip = {
		.sin6_family = AF_INET6,
		.sin6_port = inet_sk(sk)->inet_sport,
		.sin6_addr = sk->sk_v6_rcv_saddr,
	};

	return lsmpmon_inet_text((struct sockaddr *)&ip, buffer);
#else
	return NULL;
#endif
}

static const char *lsmpmon_sock_text(const struct sock *sk, char *buffer)
{
	struct sockaddr_in ip = { .sin_family = AF_INET };

	if (!sk || !sk_fullsock(sk))
		return NULL;
	switch (sk->sk_family) {
	case AF_UNIX:
		return lsmpmon_unix_text(sk, buffer);
	case AF_INET:
		ip.sin_port = inet_sk(sk)->inet_sport;
		ip.sin_addr.s_addr = sk->sk_rcv_saddr;
		return lsmpmon_inet_text((struct sockaddr *)&ip, buffer);
	case AF_INET6:
		return lsmpmon_sock6_text(sk, buffer);
	default:
		return NULL;
	}
}

static const char *lsmpmon_ipc_text(const struct kern_ipc_perm *ipc, char *buffer)
{
	snprintf(buffer, LSMPMON_TEXT_SIZE, "0x%08x", (unsigned int)ipc->key);
	return buffer;
}

static const char *lsmpmon_key_text(const struct key *key)
{
#ifdef CONFIG_KEYS
	return key->description;
#else
	return NULL;
#endif
}

/**
 * lsmpmon_text_of - read the name of an object that has no dentry
 * @kind: kind of the object
 * @object: the object; not NULL
 * @length: length of an address; 0 for other kinds
 * @buffer: LSMPMON_TEXT_SIZE bytes, for names that the object does not have as text
 *
 * The name of a socket and the source of a file system may be paths.
 *
 * Context: as lsmpmon_path_of(); RCU protects the name.
 * Return: the name, in the object or in @buffer; NULL if it has none.
 */
const char *lsmpmon_text_of(enum lsmpmon_object_kind kind, const void *object,
			    int length, char *buffer)
{
	switch (kind) {
	case LSMPMON_OBJECT_superblock:
		return ((const struct super_block *)object)->s_id;
	case LSMPMON_OBJECT_fs_context:
		return ((const struct fs_context *)object)->source;
	case LSMPMON_OBJECT_name:
		return ((const struct qstr *)object)->name;
	case LSMPMON_OBJECT_kernfs:
		return lsmpmon_kernfs_name(object);
	case LSMPMON_OBJECT_socket:
		return lsmpmon_sock_text(((const struct socket *)object)->sk, buffer);
	case LSMPMON_OBJECT_sock:
		return lsmpmon_sock_text(object, buffer);
	case LSMPMON_OBJECT_sockaddr:
		return lsmpmon_sockaddr_text(object, length, buffer);
	case LSMPMON_OBJECT_task:
		return ((const struct task_struct *)object)->comm;
	case LSMPMON_OBJECT_ipc:
		return lsmpmon_ipc_text(object, buffer);
	case LSMPMON_OBJECT_key:
		return lsmpmon_key_text(object);
	case LSMPMON_OBJECT_keyref:
		return lsmpmon_key_text(key_ref_to_ptr((key_ref_t)object));
	default:
		return NULL;
	}
}
