// SPDX-License-Identifier: GPL-2.0-only
/* Who may use the monitor: a process with CAP_SYS_ADMIN in the initial user namespace, unless the kernel is locked down. */

#include "privilege.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCKDOWN "/sys/kernel/security/lockdown"

/* Inode numbers of the machine's own namespaces, which are the same in every kernel. */
#define INITIAL_USER_NAMESPACE 0xEFFFFFFDu
#define INITIAL_PID_NAMESPACE 0xEFFFFFFCu

static bool is_other(const char *path, ino_t initial)
{
	struct stat status;

	return !stat(path, &status) && status.st_ino != initial;
}

bool privilege_is_contained(void)
{
	return is_other("/proc/self/ns/user", INITIAL_USER_NAMESPACE) ||
	       is_other("/proc/self/ns/pid", INITIAL_PID_NAMESPACE);
}

/* As in "none integrity [confidentiality]". */
static bool is_locked_down(void)
{
	int fd = open(LOCKDOWN, O_RDONLY | O_CLOEXEC);
	char text[128] = "";
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	return length > 0 && strstr(text, "[confidentiality]");
}

const char *privilege_missing(void)
{
	if (geteuid())
		return "be root, for example with sudo";
	if (is_locked_down())
		return "the kernel is locked down for confidentiality, also against root: boot it without "
		       "lockdown=confidentiality";
	if (privilege_is_contained())
		return "root of a container is not enough (CAP_SYS_ADMIN in the initial user namespace): run it on the "
		       "machine itself, or start the container with --privileged";
	return "this root has no CAP_SYS_ADMIN: run it with all capabilities";
}
