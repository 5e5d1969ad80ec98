/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the tests of the model of LIDS: its file, things to do with another
 * file, and programs that do them
 */

#ifndef LIDS_H
#define LIDS_H

#include <sys/stat.h>

#include "../lsmpmon/process.h"

#define LIDS		"/sys/kernel/security/lids/rules"
#define HEADER		"target object subject level\n"

/* Negative errno, as of all functions here. */
static inline int lids_write(const char *format, const char *object, const char *subject)
{
	char line[512];

	snprintf(line, sizeof(line), format, object, subject);
	return write_once(LIDS, 0, line, strlen(line));
}

static inline int lids_set(const char *target, const char *object)
{
	char line[512];

	snprintf(line, sizeof(line), "%s %s\n", target, object);
	return write_once(LIDS, 0, line, strlen(line));
}

static inline int lids_clear(void)
{
	return write_once(LIDS, 0, "\n", 1);
}

static inline int lids_read(char *text, size_t size)
{
	return read_text(LIDS, text, size);
}

/* A file, opened and closed. */
static inline int try_open(const char *path, int flags)
{
	int fd = open(path, flags, 0644);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static inline int made(int result)
{
	return result ? -errno : 0;
}

static inline int try_read(const char *path)
{
	return try_open(path, O_RDONLY);
}

static inline int try_write(const char *path)
{
	return try_open(path, O_WRONLY);
}

static inline int try_append(const char *path)
{
	return try_open(path, O_WRONLY | O_APPEND);
}

static inline int try_truncate(const char *path)
{
	return try_open(path, O_WRONLY | O_APPEND | O_TRUNC);
}

static inline int try_unlink(const char *path)
{
	return made(unlink(path));
}

static inline int try_chmod(const char *path)
{
	return made(chmod(path, 0600));
}

/* To a name beside it and back. */
static inline int try_rename(const char *path)
{
	char other[256];

	snprintf(other, sizeof(other), "%s.renamed", path);
	return made(rename(path, other)) ?: made(rename(other, path));
}

static inline int try_link(const char *path)
{
	char other[256];

	snprintf(other, sizeof(other), "%s.link", path);
	return made(link(path, other)) ?: made(unlink(other));
}

/* In a directory. */
static inline int try_create(const char *path)
{
	char file[256];

	snprintf(file, sizeof(file), "%s/created", path);
	return try_open(file, O_CREAT | O_EXCL | O_WRONLY) ?: made(unlink(file));
}

static inline int try_mkdir(const char *path)
{
	char folder[256];

	snprintf(folder, sizeof(folder), "%s/made", path);
	return made(mkdir(folder, 0755)) ?: made(rmdir(folder));
}

static inline int try_symlink(const char *path)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/symlink", path);
	return made(symlink("x", name)) ?: made(unlink(name));
}

static inline int try_mknod(const char *path)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/fifo", path);
	return made(mkfifo(name, 0600)) ?: made(unlink(name));
}

static inline int make_file(const char *path)
{
	return try_open(path, O_CREAT | O_EXCL | O_WRONLY);
}

/*
 * Arguments for running a copy of this program: PROGRAM --write TIMES OTHER FILE
 * executes OTHER so many times, one from the other, and opens FILE for writing
 * in the last.
 */
#define WRITE_AFTER	"--write"

static inline int write_after(const char *program, int times, const char *other,
			      const char *file)
{
	char number[16];
	pid_t child = fork();

	snprintf(number, sizeof(number), "%d", times);
	if (!child) {
		execl(program, program, WRITE_AFTER, number, other, file, NULL);
		_exit(99);
	}
	return -exit_status(child);
}

/* Runs before main() of the harness. */
static __attribute__((constructor)) void be_another_program(int argc, char **argv)
{
	char number[16];
	int times;

	if (argc != 5 || strcmp(argv[1], WRITE_AFTER))
		return;
	times = atoi(argv[2]);
	if (!times)
		_exit(-try_write(argv[4]));
	snprintf(number, sizeof(number), "%d", times - 1);
	execl(argv[3], argv[3], WRITE_AFTER, number, argv[3], argv[4], NULL);
	_exit(98);
}

#endif /* LIDS_H */
