/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls by number: the C library may turn stat() into newfstatat(), but the call made must be
 * the call named. Where an architecture lacks the old call, its replacement is used, which calls the
 * same hooks.
 */
#ifndef LMBENCH_HOOK_SYSCALLS_H
#define LMBENCH_HOOK_SYSCALLS_H

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Larger than any architecture's struct stat; the content does not matter. */
struct stat_space {
	long room[64];
};

#ifdef SYS_newfstatat
#define LH_FSTATAT SYS_newfstatat
#else
#define LH_FSTATAT SYS_fstatat64
#endif

static inline int lh_fstatat(int dirfd, const char *path, struct stat_space *space)
{
	return syscall(LH_FSTATAT, dirfd, path, space, 0);
}

static inline int lh_openat(int dirfd, const char *path, int flags)
{
	return syscall(SYS_openat, dirfd, path, flags, 0600);
}

static inline int lh_close(int fd)
{
	return syscall(SYS_close, fd);
}

#ifdef SYS_truncate64
#define LH_TRUNCATE SYS_truncate64
#else
#define LH_TRUNCATE SYS_truncate
#endif

/* Truncates to zero bytes; the extra zeroes are for 32-bit architectures that split the length. */
static inline int lh_truncate(const char *path)
{
	return syscall(LH_TRUNCATE, path, 0L, 0L, 0L);
}

/* Renames as well, by a call of another number. */
static inline int lh_renameat2(const char *from, const char *to)
{
	return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static inline void lh_exit(int status)
{
	syscall(SYS_exit_group, status);
}

static inline long lh_add_key(const char *type, const char *name, const void *payload,
			      size_t size, long keyring)
{
	return syscall(SYS_add_key, type, name, payload, size, keyring);
}

static inline long lh_keyctl(int operation, long arg2, long arg3, long arg4, long arg5)
{
	return syscall(SYS_keyctl, operation, arg2, arg3, arg4, arg5);
}

#ifdef SYS_fork
static inline long lh_fork(void)
{
	return syscall(SYS_fork);
}
#else
static inline long lh_fork(void)
{
	return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}
#endif

#ifdef SYS_stat
static inline int lh_stat(const char *path, struct stat_space *space)
{
	return syscall(SYS_stat, path, space);
}
#else
static inline int lh_stat(const char *path, struct stat_space *space)
{
	return lh_fstatat(AT_FDCWD, path, space);
}
#endif

#ifdef SYS_open
static inline int lh_open(const char *path, int flags)
{
	return syscall(SYS_open, path, flags, 0600);
}

static inline int lh_creat(const char *path)
{
	return syscall(SYS_creat, path, 0600);
}

static inline int lh_unlink(const char *path)
{
	return syscall(SYS_unlink, path);
}

static inline int lh_rename(const char *from, const char *to)
{
	return syscall(SYS_rename, from, to);
}

static inline int lh_symlink(const char *target, const char *path)
{
	return syscall(SYS_symlink, target, path);
}

static inline int lh_chmod(const char *path, unsigned int mode)
{
	return syscall(SYS_chmod, path, mode);
}

static inline int lh_mkdir(const char *path)
{
	return syscall(SYS_mkdir, path, 0700);
}

static inline int lh_rmdir(const char *path)
{
	return syscall(SYS_rmdir, path);
}
#else
static inline int lh_open(const char *path, int flags)
{
	return lh_openat(AT_FDCWD, path, flags);
}

static inline int lh_creat(const char *path)
{
	return lh_openat(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC);
}

static inline int lh_unlink(const char *path)
{
	return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static inline int lh_rename(const char *from, const char *to)
{
	return lh_renameat2(from, to);
}

static inline int lh_symlink(const char *target, const char *path)
{
	return syscall(SYS_symlinkat, target, AT_FDCWD, path);
}

static inline int lh_chmod(const char *path, unsigned int mode)
{
	return syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}

static inline int lh_mkdir(const char *path)
{
	return syscall(SYS_mkdirat, AT_FDCWD, path, 0700);
}

static inline int lh_rmdir(const char *path)
{
	return syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}
#endif

#endif
