// SPDX-License-Identifier: GPL-2.0-only
/* openit: walks through a tree of directories, stats each entry and opens each file. */

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

/* Subdirectories per directory: 266 directories are then six deep, like the kernel's headers. */
#define FANOUT 4

/* Directory 0 is the root of the tree; the others are numbered level by level. */
static int directory_path(char *path, size_t size, size_t number)
{
	int len;

	if (number == 0)
		return snprintf(path, size, "./");
	len = directory_path(path, size, (number - 1) / FANOUT);
	return len + snprintf(path + len, size - len, "d%09zu/", number);
}

static int make_directories(struct place *place)
{
	for (size_t i = 1; i < place->directories; i++) {
		directory_path(place->near, sizeof(place->near), i);
		if (mkdir(place->near, 0700))
			return -1;
	}
	return 0;
}

static int make_files(struct place *place)
{
	for (size_t i = 0; i < place->files; i++) {
		int len = directory_path(place->near, sizeof(place->near), i % place->directories);
		int fd;

		snprintf(place->near + len, sizeof(place->near) - len, "f%09zu", i);
		fd = open(place->near, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0 || close(fd))
			return -1;
	}
	return 0;
}

static int make_tree(struct place *place, const struct bench *bench)
{
	(void)bench;
	return make_directories(place) || make_files(place) ? -1 : 0;
}

static int walk_directory(int fd);

/* Each entry by its name in the open directory, as the program of 2008 does. */
static int visit(int dirfd, const char *name)
{
	struct stat stat;
	int fd;

	if (fstatat(dirfd, name, &stat, AT_SYMLINK_NOFOLLOW))
		return -1;
	if (S_ISDIR(stat.st_mode)) {
		fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		return fd < 0 ? -1 : walk_directory(fd);
	}
	fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -1 : close(fd);
}

static int visit_all(DIR *dir)
{
	struct dirent *entry;

	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    visit(dirfd(dir), entry->d_name))
			return -1;
	return 0;
}

/* Closes @fd. */
static int walk_directory(int fd)
{
	DIR *dir = fdopendir(fd);
	int err;

	if (!dir) {
		close(fd);
		return -1;
	}
	err = visit_all(dir);
	return closedir(dir) || err ? -1 : 0;
}

static int walk(struct place *place)
{
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)place;
	return fd < 0 ? -1 : walk_directory(fd);
}

const struct bench openit_bench = {
	.name = "openit", .calls = "[walk]", .what = "stat each entry of a tree, open each file",
	.setup = make_tree, .call = walk,
};
