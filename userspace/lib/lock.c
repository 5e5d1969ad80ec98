// SPDX-License-Identifier: GPL-2.0-only
/* A lock, so that only one program at a time switches, filters and resets the monitor. */

#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"

/* From "1: FLOCK  ADVISORY  WRITE 412 00:07:1024 0 EOF" in /proc/locks; 0 if it is in another PID namespace. */
static pid_t holder_of(int fd)
{
	FILE *locks = fopen("/proc/locks", "re");
	unsigned int major, minor;
	unsigned long inode;
	pid_t holder = 0;
	struct stat status;
	char line[256];
	int pid;

	if (!locks)
		return 0;
	while (!holder && !fstat(fd, &status) && fgets(line, sizeof(line), locks))
		if (sscanf(line, "%*[^:]: FLOCK %*s %*s %d %x:%x:%lu", &pid, &major, &minor, &inode) == 4 &&
		    inode == status.st_ino && makedev(major, minor) == status.st_dev)
			holder = pid;
	fclose(locks);
	return holder;
}

/* The command line of the process, for the caller to free. */
static char *command_of(pid_t pid)
{
	char *path = xasprintf("/proc/%d/cmdline", pid), text[128] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	free(path);
	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i + 1 < length; i++)
		if (!text[i])
			text[i] = ' ';
	return xstrdup(*text ? text : "a process that has ended");
}

static void in_use(pid_t pid)
{
	char *command = pid > 0 ? command_of(pid) : NULL;

	if (command)
		complain("the monitor is in use by process %d (%s): wait for it, or end it", pid,
			 command);
	else
		complain("the monitor is in use by another process: wait for it");
	free(command);
}

int lock_monitor(const char *dir)
{
	char *path = xasprintf("%s/control", dir);
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0) {
		complain("cannot open '%s': %s", path, strerror(errno));
	} else if (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno == EWOULDBLOCK)
			in_use(holder_of(fd));
		else
			complain("cannot lock '%s': %s", path, strerror(errno));
		close(fd);
		fd = -1;
	}
	free(path);
	return fd;
}

/* From "412 lsmpmon" in session; 0 if it is in another PID namespace, or has just ended. */
int lock_session_in_use(const char *dir)
{
	char *path = xasprintf("%s/session", dir);
	FILE *session = fopen(path, "re");
	int pid = 0;

	if (session) {
		if (fscanf(session, "%d", &pid) != 1)
			pid = 0;
		fclose(session);
	}
	free(path);
	in_use(pid);
	return -1;
}

int lock_session(const char *dir, int *session)
{
	char *path = xasprintf("%s/session", dir);
	int error = 0;

	*session = open(path, O_WRONLY | O_CLOEXEC);
	if (*session < 0 && errno == EBUSY)
		error = lock_session_in_use(dir);
	else if (*session < 0 && errno != ENOENT)
		error = complain("cannot open '%s': %s", path, strerror(errno));
	free(path);
	return error;
}
