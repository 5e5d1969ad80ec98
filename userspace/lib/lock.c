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

/* Processes that have no number here: none, and one in another PID namespace, or one that has just ended. */
#define NOBODY (-1)
#define SOMEBODY 0

/* From "1: FLOCK  ADVISORY  WRITE 412 00:07:1024 0 EOF" in /proc/locks, where those in other PID namespaces are not. */
static pid_t holder_of(const struct stat *status)
{
	FILE *locks = fopen("/proc/locks", "re");
	unsigned int major, minor;
	unsigned long inode;
	pid_t holder = NOBODY;
	char line[256];
	int pid;

	if (!locks)
		return NOBODY;
	while (holder == NOBODY && fgets(line, sizeof(line), locks))
		if (sscanf(line, "%*[^:]: FLOCK %*s %*s %d %x:%x:%lu", &pid, &major, &minor, &inode) == 4 &&
		    inode == status->st_ino && makedev(major, minor) == status->st_dev)
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

/* For the caller to free. */
static char *process_text(pid_t pid)
{
	char *command, *text;

	if (pid <= SOMEBODY)
		return xstrdup("another process");
	command = command_of(pid);
	text = xasprintf("process %d (%s)", pid, command);
	free(command);
	return text;
}

static void in_use(pid_t pid)
{
	char *process = process_text(pid);

	complain("the monitor is in use by %s: wait for it%s", process, pid > SOMEBODY ? ", or end it" : "");
	free(process);
}

int lock_monitor(const char *dir)
{
	char *path = xasprintf("%s/control", dir);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	struct stat status;

	if (fd < 0) {
		complain("cannot open '%s': %s", path, strerror(errno));
	} else if (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno == EWOULDBLOCK)
			in_use(fstat(fd, &status) ? SOMEBODY : holder_of(&status));
		else
			complain("cannot lock '%s': %s", path, strerror(errno));
		close(fd);
		fd = -1;
	}
	free(path);
	return fd;
}

/* From "412 lsmpmon" in session, or "-". */
static pid_t session_holder(const char *dir)
{
	char *path = xasprintf("%s/session", dir);
	FILE *session = fopen(path, "re");
	int pid = NOBODY;

	if (session) {
		if (fscanf(session, "%d", &pid) != 1)
			pid = NOBODY;
		fclose(session);
	}
	free(path);
	return pid;
}

static pid_t lock_owner(const char *dir)
{
	char *path = xasprintf("%s/control", dir);
	struct stat status;
	pid_t pid = stat(path, &status) ? NOBODY : holder_of(&status);

	free(path);
	return pid;
}

char *lock_holder(const char *dir)
{
	pid_t pid = session_holder(dir);

	if (pid == NOBODY)
		pid = lock_owner(dir);
	return pid == NOBODY ? NULL : process_text(pid);
}

int lock_session_in_use(const char *dir)
{
	in_use(session_holder(dir));
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
