// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs on the file hooks that other modules use as well. Each denies access to one directory
 * and to everything in it, and to others that are in a map. Loaded by bpf-deny.c.
 */

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "bpf-deny.h"

#define EACCES 13

/* The members of kernel structures that are read here. Their offsets are resolved at load time. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct super_block {
	__u32 s_dev;
};

struct inode {
	struct super_block *i_sb;
	unsigned long i_ino;
};

struct dentry {
	struct dentry *d_parent;
	struct inode *d_inode;
};

struct path {
	struct dentry *dentry;
};

struct file {
	struct path f_path;
};

#pragma clang attribute pop

/* Only passed through. */
struct iattr;
struct mnt_idmap;

const volatile struct denied denied;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct place);
	__type(value, char);
} others SEC(".maps");

static __always_inline int of_others(struct inode *inode)
{
	struct place place = { .inode = inode->i_ino, .device = inode->i_sb->s_dev };

	return bpf_map_lookup_elem(&others, &place) ? -EACCES : 0;
}

static __always_inline int of_inode(struct inode *inode)
{
	if (denied.others && of_others(inode))
		return -EACCES;
	return inode->i_ino == denied.place.inode && inode->i_sb->s_dev == denied.place.device ? -EACCES : 0;
}

static __always_inline int of_dentry(struct dentry *dentry)
{
	if (!denied.place.inode)
		return 0;
	return of_inode(dentry->d_inode) ?: of_inode(dentry->d_parent->d_inode);
}

static __always_inline int of_directory(struct inode *dir)
{
	return denied.place.inode ? of_inode(dir) : 0;
}

SEC("lsm/file_open")
int BPF_PROG(file_open, struct file *file)
{
	return of_dentry(file->f_path.dentry);
}

SEC("lsm/file_permission")
int BPF_PROG(file_permission, struct file *file, int mask)
{
	return of_dentry(file->f_path.dentry);
}

SEC("lsm/inode_permission")
int BPF_PROG(inode_permission, struct inode *inode, int mask)
{
	return of_directory(inode);
}

SEC("lsm/inode_getattr")
int BPF_PROG(inode_getattr, const struct path *path)
{
	return of_dentry(path->dentry);
}

SEC("lsm/inode_setattr")
int BPF_PROG(inode_setattr, struct mnt_idmap *idmap, struct dentry *dentry, struct iattr *attr)
{
	return of_dentry(dentry);
}

SEC("lsm/inode_create")
int BPF_PROG(inode_create, struct inode *dir, struct dentry *dentry, unsigned short mode)
{
	return of_directory(dir);
}

SEC("lsm/inode_unlink")
int BPF_PROG(inode_unlink, struct inode *dir, struct dentry *dentry)
{
	return of_directory(dir);
}

SEC("lsm/inode_mkdir")
int BPF_PROG(inode_mkdir, struct inode *dir, struct dentry *dentry, unsigned short mode)
{
	return of_directory(dir);
}

SEC("lsm/inode_rmdir")
int BPF_PROG(inode_rmdir, struct inode *dir, struct dentry *dentry)
{
	return of_directory(dir);
}

SEC("lsm/inode_symlink")
int BPF_PROG(inode_symlink, struct inode *dir, struct dentry *dentry, const char *old_name)
{
	return of_directory(dir);
}

SEC("lsm/inode_link")
int BPF_PROG(inode_link, struct dentry *old_dentry, struct inode *dir, struct dentry *new_dentry)
{
	return of_directory(dir);
}

SEC("lsm/inode_rename")
int BPF_PROG(inode_rename, struct inode *old_dir, struct dentry *old_dentry, struct inode *new_dir,
	     struct dentry *new_dentry)
{
	return of_directory(old_dir) ?: of_directory(new_dir);
}

const char LICENSE[] SEC("license") = "GPL";
