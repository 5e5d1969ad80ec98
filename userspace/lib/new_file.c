// SPDX-License-Identifier: GPL-2.0-only
#include "new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"

static int refused(const char *path)
{
	const bool is_closed = errno == EROFS || errno == EACCES;

	return complain("cannot write '%s': %s%s", path, strerror(errno),
			is_closed ? "; give a file where you can write, as in /tmp" : "");
}

static bool is_stdout(const struct stat *status)
{
	struct stat ours;

	return !fstat(STDOUT_FILENO, &ours) && ours.st_dev == status->st_dev &&
	       ours.st_ino == status->st_ino;
}

/* The real path of an open file. Links were followed by open(), under the kernel's protection of links. */
static char *path_of(int fd)
{
	char link[sizeof("/proc/self/fd/") + 3 * sizeof(int)], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length < 0)
		return NULL;
	path[length] = '\0';
	return xstrdup(path);
}

static int begin_stream(struct new_file *file, int fd, const char *path)
{
	file->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (file->stream)
		return 0;
	refused(path);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Create the temporary file in the target's directory, since rename() works only within one file system. */
static int begin_beside(struct new_file *file, const char *path)
{
	file->temporary = xasprintf("%s.XXXXXX", file->path);
	return begin_stream(file, mkostemp(file->temporary, O_CLOEXEC), path);
}

/* The file exists. */
static int begin_found(struct new_file *file, int fd, const char *path)
{
	struct stat status;

	if (fstat(fd, &status))
		return refused(path);
	if (is_stdout(&status))
		return begin_stream(file, fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), path);
	if (!S_ISREG(status.st_mode))
		return begin_stream(file, open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), path);
	free(file->path);
	file->path = path_of(fd);
	return file->path ? begin_beside(file, path) : refused(path);
}

/* Create the target of a dangling link, so that it is found like any other file and then replaced. */
static int find(struct new_file *file, const char *path)
{
	struct stat status;
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd >= 0 || errno != ENOENT || lstat(path, &status))
		return fd;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	file->is_made = fd >= 0;
	return fd;
}

static int begin(struct new_file *file, const char *path)
{
	int fd, error;

	if (!strcmp(path, "-"))
		return begin_stream(file, fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), path);
	fd = find(file, path);
	if (fd < 0)
		return errno == ENOENT ? begin_beside(file, path) : refused(path);
	error = begin_found(file, fd, path);
	close(fd);
	return error;
}

int new_file_begin(struct new_file *file, const char *path)
{
	*file = (struct new_file){ .path = xstrdup(path) };
	if (!begin(file, path))
		return 0;
	new_file_drop(file);
	return -1;
}

void new_file_drop(struct new_file *file)
{
	if (file->stream)
		fclose(file->stream);
	if (file->stream && file->temporary)
		unlink(file->temporary);
	if (file->is_made)
		unlink(file->path);
	free(file->temporary);
	free(file->path);
	*file = (struct new_file){ 0 };
}

/* Try a hard link first, so that the name always exists; not every file system has them. */
static int keep_old(const struct new_file *file)
{
	struct stat status;
	char *old;
	int error;

	if (stat(file->path, &status) || !status.st_size)
		return 0;
	old = xasprintf("%s.old", file->path);
	unlink(old);
	error = link(file->path, old) && rename(file->path, old) ?
		complain("cannot keep '%s' as '%s': %s", file->path, old, strerror(errno)) : 0;
	free(old);
	return error;
}

static int replace(const struct new_file *file, bool keep)
{
	if (fsync(fileno(file->stream)))
		return refused(file->path);
	if (keep && keep_old(file))
		return -1;
	return rename(file->temporary, file->path) ? refused(file->path) : 0;
}

int new_file_finish(struct new_file *file, bool keep)
{
	int error = 0;

	if (fflush(file->stream) || ferror(file->stream))
		error = refused(file->path);
	else if (file->temporary)
		error = replace(file, keep);
	if (!error) {
		/* The temporary file has been renamed. */
		free(file->temporary);
		file->temporary = NULL;
		file->is_made = false;
	}
	new_file_drop(file);
	return error;
}
