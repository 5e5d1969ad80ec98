/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls that newer architectures such as arm64 lack: programs make those
 * there that take a directory as well
 */

#ifndef LSMMON_OLDER_H
#define LSMMON_OLDER_H

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>

/* The first where there are older system calls, else the second. */
#ifdef SYS_open
#define IF_OLDER(older, newer)	older
#else
#define IF_OLDER(older, newer)	newer
#endif

/* Of a call by its name; what only the newer one takes, as the last argument, does not matter. */
#define OLDER_NAME(older, newer)	IF_OLDER(#older, #newer)
#define call_by_path(older, newer, ...) \
	IF_OLDER(syscall(SYS_##older, ##__VA_ARGS__), \
		 syscall(SYS_##newer, AT_FDCWD, ##__VA_ARGS__))

#define STAT_NAME		OLDER_NAME(stat, newfstatat)
#define call_stat(path, st)	call_by_path(stat, newfstatat, path, st, 0)

#define LSTAT_NAME		OLDER_NAME(lstat, newfstatat)
#define call_lstat(path, st) \
	call_by_path(lstat, newfstatat, path, st, AT_SYMLINK_NOFOLLOW)

#define FORK_NAME		OLDER_NAME(fork, clone)
#define call_fork() \
	IF_OLDER(syscall(SYS_fork), syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0))

#endif /* LSMMON_OLDER_H */
