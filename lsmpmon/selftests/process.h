/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children, other users, and copies of the program itself, shared by tests
 */

#ifndef PROCESS_H
#define PROCESS_H

#include <sched.h>
#include <sys/wait.h>

#include "lsmmon.h"

#define NOBODY		65534

/* Exit status of a child; -1 if it was killed or could not be made. */
static inline int exit_status(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child ||
	    !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* In a user namespace with one user and one group; @map is for both. */
static inline int map_user(const char *map)
{
	if (unshare(CLONE_NEWUSER) ||
	    write_file("/proc/self/setgroups", "deny") ||
	    write_file("/proc/self/uid_map", map) ||
	    write_file("/proc/self/gid_map", map))
		return -1;
	return 0;
}

/* Root of a user namespace has every capability, over that namespace. */
static inline int enter_namespace(void)
{
	return map_user("0 0 1") || setresuid(0, 0, 0) || setresgid(0, 0, 0) ? -1 : 0;
}

/* The result of @work in a child without privileges, or 9. */
static inline int as_nobody(int (*work)(void))
{
	pid_t child = fork();

	if (!child)
		_exit(setuid(NOBODY) ? 9 : work());
	return exit_status(child);
}

/* The result of @work in a child that is root of a user namespace, or 9. */
static inline int as_root_of_namespace(int (*work)(void))
{
	pid_t child = fork();

	if (!child)
		_exit(enter_namespace() ? 9 : work());
	return exit_status(child);
}

/* Run this task on one CPU only. */
static inline int run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static inline int refuses(const char *path, int flags)
{
	return open(path, flags) < 0 && (errno == EPERM || errno == EACCES);
}

static inline int copy_self(const char *to)
{
	char command[512], self[128];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length < 0)
		return -1;
	self[length] = '\0';
	snprintf(command, sizeof(command), "cp %s %s && chmod 755 %s", self, to, to);
	return system(command);
}

#endif /* PROCESS_H */
