// SPDX-License-Identifier: GPL-2.0-only
/* Flags that a path needs, or that may not be set on it, have names. */
#include "fake.h"

HOOK(inode_create)
HOOK(file_open)
HOOK(path_truncate)

HOOK(file_mprotect)
HOOK(vm_enough_memory)
HOOK(bprm_committed_creds)

struct vm_area_struct {
	unsigned long vm_flags;
};

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

static __noinline int do_open(void *o, struct file *file)
{
	int error = creates(o);

	if (!error && !(file->f_mode & 0x80000))
		error = opens(o);
	if (!error)
		error = cuts(o);
	return error;
}

/* That it is opened in the end is no flag of the call's. */
long sys_openat(void *o, struct file *file)
{
	int error = do_open(o, file);

	return error ? error : file->f_mode & 0x80000 ? 1 : -22;
}

/* A length of zero is a success that asks nothing. */
static __noinline int do_mprotect_pkey(unsigned long len, void *o)
{
	if (!len)
		return 0;
	return security_file_mprotect(o);
}

long sys_mprotect(unsigned long len, void *o)
{
	return do_mprotect_pkey(len, o);
}

/* Here the flag is expected to be set. */
static __noinline int insert_vm_struct(struct vm_area_struct *vma)
{
	if ((vma->vm_flags & 0x100000) && security_vm_enough_memory(vma))
		return -12;
	return 0;
}

/* Done for programs with an interpreter only; what else there is to do is not done then. */
static __noinline int load_script(void *o)
{
	return 0;
}

long sys_execve(void *o, struct vm_area_struct *vma, int is_script)
{
	int error = insert_vm_struct(vma);

	if (error)
		return error;
	return is_script ? load_script(o) : security_bprm_committed_creds(o);
}

/* Where no way to success is without a flag, nothing is a must. */
long sys_uselib(void *o)
{
	return load_script(o);
}

/* The short way here needs the flag, and then that it is not set: the long one is shown. */
static __noinline int opens_file(void *o, struct open_flags *flags)
{
	if (flags->open_flag & 010000000)
		return 0;
	return opens(o);
}

static __noinline int looks_up(void *o, struct open_flags *flags) { return opens_file(o, flags); }

/* Only where there is another flag is this one asked for, so that it is no condition of what follows. */
long sys_creat(void *o, struct open_flags *flags)
{
	if ((flags->open_flag & 0100) && !(flags->open_flag & 01000))
		return -17;
	if (flags->open_flag & 010000000)
		return opens_file(o, flags);
	return looks_up(o, flags);
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
