/* SPDX-License-Identifier: GPL-2.0-only */
/* Files as the kernel has them: an object calls what its tables have. */
#include "fake.h"

struct inode;
struct file;

struct file_operations {
	int (*open)(struct inode *inode, struct file *file);
	int (*read)(struct file *file);
};

struct inode_operations {
	int (*lookup)(struct inode *dir);
	int (*permission)(struct inode *inode);
};

struct super_operations {
	void (*evict)(struct inode *inode);
};

struct file_system_type {
	const char *name;
	const struct super_operations *super;
};

/* Nobody's own: no file system has one. */
struct device_operations {
	int (*transfer)(struct inode *inode);
};

struct inode {
	const struct inode_operations *i_op;
	const struct file_operations *i_fop;
	const struct super_operations *s_op;
	const struct device_operations *device;
	unsigned int i_mode;
};

struct file {
	const struct file_operations *f_op;
	struct inode *inode;
};

extern const struct file_operations generic_file_operations, generic_directory_operations;

int security_file_open(void *object);
int security_inode_permission(void *object);
int security_file_permission(void *object);
int security_inode_getattr(void *object);
int security_inode_free(void *object);
int security_inode_readlink(void *object);
