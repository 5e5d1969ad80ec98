// SPDX-License-Identifier: GPL-2.0-only
/* Flags that a path needs, or that may not be set on it, have names. */
#include "fake.h"

HOOK(inode_create)
HOOK(file_open)
HOOK(path_truncate)

struct open_flags {
	int open_flag;
};

static __noinline int creates(void *o) { return security_inode_create(o); }
static __noinline int opens(void *o) { return security_file_open(o); }
static __noinline int cuts(void *o) { return security_path_truncate(o); }

/* What is opened already is not opened again; that it failed is not why. */
struct file {
	unsigned int f_mode;
};

long sys_openat(void *o, struct file *file)
{
	int error = creates(o);

	if (!error && !(file->f_mode & 0x80000))
		error = opens(o);
	if (!error)
		error = cuts(o);
	return error;
}

long sys_open(void *o, struct open_flags *flags)
{
	int error = 0, open_flag = flags->open_flag;

	if (open_flag & 0100)
		error = creates(o);
	if (!error && !(open_flag & 010000000))
		error = opens(o);
	if (!error && unlikely(open_flag & 01000))
		error = cuts(o);
	return error;
}
