// SPDX-License-Identifier: GPL-2.0-only
/* The directory lsmmon/ of the kernel, or a copy of it. */

#include "monitor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "alloc.h"
#include "complain.h"
#include "file.h"
#include "lock.h"
#include "privilege.h"

#define SECURITYFS "/sys/kernel/security"
#define COPY "give a directory lsmmon/ or a copy of one"

/* As its symbols tell; true if they cannot. */
static bool kernel_has_monitor(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	bool any = false, found = false;
	size_t room = 0;
	char *line = NULL;

	while (symbols && !found && getline(&line, &room, symbols) > 0) {
		any = true;
		found = strstr(line, " lsmpmon_");
	}
	free(line);
	if (symbols)
		fclose(symbols);
	return found || !any;
}

static int no_monitor(void)
{
	struct utsname name;

	if (uname(&name))
		*name.release = '\0';
	return complain("this kernel, %s, has no lsmpmon: boot one that has it, or measure in a guest, which needs "
			"no other kernel here: make deb-kernel and make run in lsmpmon's source, see its README.md", name.release);
}

static int no_securityfs(void)
{
	if (privilege_is_contained())
		return complain("this container does not see the kernel's lsmpmon: run it on the machine itself, or start the "
				"container with --privileged and " SECURITYFS " as a volume");
	return complain("securityfs is not mounted: as root, mount -t securityfs securityfs " SECURITYFS);
}

static int not_there(const char *dir)
{
	struct statfs fs;

	if (strncmp(dir, SECURITYFS, strlen(SECURITYFS)))
		return complain("'%s': %s; " COPY, dir, strerror(errno));
	if (!kernel_has_monitor())
		return no_monitor();
	if (statfs(SECURITYFS, &fs) || fs.f_type != SECURITYFS_MAGIC)
		return no_securityfs();
	return no_monitor();
}

static int not_a_copy(const char *dir)
{
	return complain("'%s' has no file info; " COPY, dir);
}

static int refused(const char *path, int error)
{
	if (error == EACCES || error == EPERM)
		return complain("not allowed to open '%s': %s", path, privilege_missing());
	return complain("cannot open '%s': %s", path, strerror(error));
}

int monitor_check(const char *dir)
{
	struct stat status;
	char *path;
	int fd, error;

	if (stat(dir, &status) && (errno == ENOENT || errno == ENOTDIR))
		return not_there(dir);
	path = xasprintf("%s/info", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	error = fd >= 0 ? 0 : errno == ENOENT ? not_a_copy(dir) : refused(path, errno);
	if (fd >= 0)
		close(fd);
	free(path);
	return error;
}

char *monitor_read(const char *dir, const char *file)
{
	char *path = xasprintf("%s/%s", dir, file);
	char *text = NULL;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		refused(path, errno);
	} else {
		text = file_text(fd, path);
		close(fd);
	}
	free(path);
	return text;
}

int monitor_try(const char *dir, const char *file, const char *text)
{
	char *path = xasprintf("%s/%s", dir, file);
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC);
	int error = 0;

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		error = errno;
	if (fd >= 0)
		close(fd);
	free(path);
	return error;
}

int monitor_write(const char *dir, const char *file, const char *text)
{
	int error = monitor_try(dir, file, text);

	if (error == EACCES || error == EPERM)
		return complain("not allowed to write '%s/%s': %s", dir, file, privilege_missing());
	if (error == EBUSY)
		return lock_session_in_use(dir);
	if (error)
		return complain("cannot write '%s' to '%s/%s': %s", text, dir, file, strerror(error));
	return 0;
}

static bool is_readable(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) &&
	       status.st_mode & S_IRUSR;
}

int monitor_read_all(const char *dir, struct run *run)
{
	struct dirent **names;
	int count, error = 0;

	/* Sorted, so that equal states make equal records. */
	count = scandir(dir, &names, NULL, alphasort);
	if (count < 0)
		return complain("cannot read directory '%s': %s", dir, strerror(errno));
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("%s/%s", dir, names[i]->d_name);

		if (!error && is_readable(path)) {
			char *text = monitor_read(dir, names[i]->d_name);

			error = text ? 0 : -1;
			if (text)
				run_add(run, names[i]->d_name, text);
			free(text);
		}
		free(path);
		free(names[i]);
	}
	free(names);
	return error;
}
